// Package machine names the effects that this project has on a host, as small
// interfaces, and nothing else.
//
// machine/linux is the real host and the only package that touches one;
// machine/fake is a host in memory that obeys the kernel's rules and can fail, die
// or reboot at any step; machine/contract is the one suite that both must pass.
//
// Every path is the host's own ("/etc/sysctl.d"), whatever folder it is mounted at.
// A missing thing is an error that matches fs.ErrNotExist, never an empty answer.
package machine
