// Package kmod owns kernel modules: whether one is there, loading it, and the file that
// names the modules which the next boot shall load.
//
// A module that is part of the kernel counts as loaded, also where neither
// /proc/modules nor /lib/modules exists. Modules are never unloaded.
package kmod
