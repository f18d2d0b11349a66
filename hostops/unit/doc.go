// Package unit owns what lets a boot prepare the host before its kubelet: the text of
// hostprofile.service and of the gates in front of kubelets, that the unit is enabled, and
// the installed copy of the program that both run.
//
// It writes systemd's language and reads it back: a command line that InstallUnit was
// given is the one that a boot runs, whatever is in it.
package unit
