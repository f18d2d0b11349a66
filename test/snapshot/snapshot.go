// Package snapshot compares a host before and after: files with owner, mode and content,
// sysctls and swap. It owns the list of what changes on any host by itself.
package snapshot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// Snapshot is what a host looks like: one line for each thing, by name.
type Snapshot map[string]string

// Take looks at a host.
func Take(ctx context.Context, host testbed.Host) (Snapshot, error) {
	s := Snapshot{}
	for _, part := range []func(context.Context, testbed.Host, Snapshot) error{files, contents, sysctls, swaps} {
		if err := part(ctx, host, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Diff lists what differs, one line each, sorted. What the kernel added with a module
// is new and no difference: modules are never unloaded.
func Diff(before, after Snapshot) []string {
	names := map[string]bool{}
	for n := range before {
		names[n] = true
	}
	for n := range after {
		names[n] = true
	}
	var out []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		was, had := before[n]
		is, has := after[n]
		switch {
		case was == is && had == has || !had && cameWithModule(n):
		case !had:
			out = append(out, fmt.Sprintf("+ %s: %s", n, is))
		case !has:
			out = append(out, fmt.Sprintf("- %s: %s", n, was))
		default:
			out = append(out, fmt.Sprintf("~ %s: %s, was %s", n, is, was))
		}
	}
	return out
}

// NotGivenBack is Diff without what giving back is meant to leave: the marker that keeps
// later boots out, in its folder.
func NotGivenBack(before, after Snapshot) []string {
	return slices.DeleteFunc(Diff(before, after), isMarker)
}

func isMarker(line string) bool {
	rest, added := strings.CutPrefix(line, "+ ")
	name, _, _ := strings.Cut(rest, ": ")
	_, path, _ := strings.Cut(name, " ")
	return added && (path == "/var/lib/hostprofile" || path == "/var/lib/hostprofile/disabled")
}

func cameWithModule(name string) bool {
	return strings.HasPrefix(name, "sysctl net.bridge.") || strings.HasPrefix(name, "sysctl net.netfilter.") || name == "sysctl net.nf_conntrack_max" ||
		strings.HasPrefix(name, "sysctl net.ipv4.vs.")
}

// home is where the user of the tests is at home.
const home = "/root"

// roots are the folders whose files are compared. /run is compared only where it is ours.
var roots = []string{"/etc", "/usr/local", "/var/lib", "/run/hostprofile", "/boot", "/opt", home, "/srv"}

// restless are files that change on any host by themselves.
var restless = []string{
	"/etc/.updated", "/etc/resolv.conf", "/var/lib/systemd/", "/var/lib/dpkg/", "/var/lib/apt/", "/var/lib/private",
	"/var/lib/chrony", "/var/lib/selinux/", "/var/lib/urandom/", "/etc/adjtime", "/etc/init.d/.depend.", home + "/.ssh", home + "/.cache", home + "/.bash_history", "/var/lib/dbus",
}

func files(ctx context.Context, host testbed.Host, s Snapshot) error {
	argv := slices.Concat([]string{"find"}, roots, []string{"-xdev", "-printf", `%p\t%y %m %U:%G %l\n`})
	out, err := output(ctx, host, argv...)
	for line := range strings.Lines(out) {
		path, rest, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if ok && !isRestless(path) {
			s["file "+path] = rest
		}
	}
	return err
}

func contents(ctx context.Context, host testbed.Host, s Snapshot) error {
	argv := slices.Concat([]string{"find"}, roots, []string{"-xdev", "-type", "f", "-exec", "sha256sum", "{}", "+"})
	out, err := output(ctx, host, argv...)
	for line := range strings.Lines(out) {
		sum, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if ok && !isRestless(path) {
			s["content "+path] = sum
		}
	}
	return err
}

func isRestless(path string) bool {
	return slices.ContainsFunc(restless, func(p string) bool { return strings.HasPrefix(path, p) })
}

// counters are sysctls that count, that the kernel moves by itself, or that it works out
// anew at each boot from the memory that is free (fs.file-max, vm.user_reserve_kbytes).
var counters = []string{
	"fs.file-max", "fs.dentry-state", "fs.file-nr", "fs.inode-nr", "fs.inode-state", "fs.quota.", "fs.aio-nr",
	"kernel.ns_last_pid", "kernel.pty.nr", "kernel.random.", "kernel.sched_domain", "kernel.perf_event_max_sample_rate",
	"kernel.perf_cpu_time_max_percent", "kernel.tainted", "net.netfilter.nf_conntrack_count", "vm.stat", "kernel.hostname",
	"net.ipv4.tcp_fastopen_key", "kernel.usermodehelper", "vm.user_reserve_kbytes",
}

func sysctls(ctx context.Context, host testbed.Host, s Snapshot) error {
	out, err := output(ctx, host, "sh", "-c", "sysctl -a 2>/dev/null || test -n done")
	for line := range strings.Lines(out) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		if ok && !slices.ContainsFunc(counters, func(p string) bool { return strings.HasPrefix(name, p) }) {
			s["sysctl "+name] = value
		}
	}
	return err
}

// swaps leaves out how much is used.
func swaps(ctx context.Context, host testbed.Host, s Snapshot) error {
	out, err := output(ctx, host, "cat", "/proc/swaps")
	for i, line := range strings.Split(out, "\n") {
		if f := strings.Fields(line); i > 0 && len(f) == 5 {
			s["swap "+f[0]] = f[1]
		}
	}
	return err
}

// output runs a command. find ends with 1 if one of the roots is not there.
func output(ctx context.Context, host testbed.Host, argv ...string) (string, error) {
	r, err := host.Run(ctx, argv...)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", host.Name(), err)
	}
	if r.ExitCode > 1 {
		return "", fmt.Errorf("%s on %s ended with %d: %s", argv[0], host.Name(), r.ExitCode, r.Stderr)
	}
	return r.Stdout, nil
}
