// Package dir owns single directories: that they are there, their mode and owner, and
// that those made by us go again.
//
// A parent is an item of its own. Links that only root can have made are followed, since
// an admin may have moved a directory to another disk; any other link is refused by its
// name. Mode and owner are one state: where somebody changed one of them, both are left as
// found. Nothing inside a directory is ever touched, and nothing is ever removed but an
// empty directory on which nothing is mounted.
package dir
