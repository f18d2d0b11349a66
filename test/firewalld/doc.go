// Package firewalld plays stories on a real firewalld, with both of its backends:
// in a sandbox without systemd, which is there in half a second, and on hosts with a
// systemd of their own. In none of them does anything of ours reload firewalld.
package firewalld
