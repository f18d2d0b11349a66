// Package host holds the stories that need no kernel of their own: what the readers of
// sysctl.d make of our file, and what becomes of a host whose folders are read-only, full
// or led astray. It is tests only.
//
// They run in a sandbox of namespaces, where only net.* sysctls can be written, or in a
// systemd container. No profile here is about swap, which would be the machine's own.
package host
