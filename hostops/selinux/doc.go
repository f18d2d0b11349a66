// Package selinux owns what SELinux has to know of this project on a host where it is on:
// that the policy of container runtimes is there, that the files of ours have the labels
// that the policy names, and which folders hold programs.
//
// Labels are changed of single files and folders that are ours, never of what is below
// them, and of a label only the type: user, role and range may be somebody's choice.
// Nothing is loaded into the policy. A type that the policy would not name by itself is
// registered with the host's own semanage, recorded, and taken back.
package selinux
