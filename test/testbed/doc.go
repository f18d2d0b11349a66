// Package testbed gives tests a real Linux host: a systemd container, a QEMU
// virtual machine with a kernel of its own, or a sandbox of namespaces around
// one command.
//
// It owns the images (built once from Debian's packages and kept in the user's
// cache folder), the machines started from them, and their end. It never
// changes the machine it runs on: every mount is made in a private mount
// namespace, every process dies with the test that started it, and the only
// things written outside the cache are cgroup folders, which are removed again.
//
// Which one to take:
//
//   - [Sandbox] and [Reexec]: a few milliseconds. Writable net.* sysctls and
//     throw-away /etc, /run and /var/lib; no init system.
//   - [Container]: under a second. Real systemd, D-Bus and firewalld; no
//     modules, no swap, no vm.* or kernel.* sysctls.
//   - [VM]: about fifteen seconds. Everything, including modules, swap,
//     a real reboot and a power cut.
package testbed
