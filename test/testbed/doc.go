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
//     a real reboot and a power cut. Its kinds are the usual one, one with SELinux and
//     labelled files, and two without systemd.
//
// Tests that boot a host are skipped with -short and where the machine cannot
// boot one. Two environment variables change that:
//
//   - KEEP=1 keeps the host of a failed test, prints how to log in and waits for
//     an interrupt. Give go test a long -timeout then.
//   - HOSTPROFILE_TESTBED_REQUIRE=1 makes a failure of every skip for want of
//     something on the machine, for machines that must run all tests.
//
// The command hack/testbed installs what is needed, builds the images, and boots
// a host to look at.
package testbed
