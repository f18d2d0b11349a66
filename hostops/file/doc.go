// Package file owns whole regular files: their content and permission bits.
//
// It writes nothing but the path that an item names, and that only if it is a plain
// file of one name or missing: a link, directory or device in its place belongs to
// somebody and is never replaced.
package file
