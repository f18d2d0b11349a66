// Package dir owns single directories: that they are there, their permission bits, and
// that those made by us go again.
//
// A parent is an item of its own. A link to a directory counts as that directory and
// is never replaced. Owners are compared and never changed, and nothing inside a
// directory is ever touched.
package dir
