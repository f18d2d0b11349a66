// Package filecontext reads what an SELinux policy says about the labels of files, and
// finds the label for a path, as libselinux does.
//
// It only reads the text that it is given: the file_contexts of a policy, what the admin
// added with semanage, and the prefixes that stand for others. Their regular expressions
// are meant for PCRE; one that Go does not understand is an error for the paths it may be
// about, and never a guess.
package filecontext
