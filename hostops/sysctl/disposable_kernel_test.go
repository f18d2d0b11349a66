package sysctl_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// disposable skips a test that writes sysctls of the whole machine, unless the machine
// was started for such tests and is thrown away.
func disposable(t *testing.T) {
	t.Helper()
	if os.Getenv("HOSTPROFILE_DISPOSABLE_KERNEL") != "1" {
		t.Skip("writes sysctls of the whole machine: only with HOSTPROFILE_DISPOSABLE_KERNEL=1, in a virtual machine of its own")
	}
}

// TestPairsOnAKernel writes every state of every pair after every other, and finds it.
func TestPairsOnAKernel(t *testing.T) {
	disposable(t)
	op := sysctl.New(realMachine(), "boot")
	for _, pair := range [][2]sysctl.Name{
		{"vm.dirty_ratio", "vm.dirty_bytes"},
		{"vm.dirty_background_ratio", "vm.dirty_background_bytes"},
		{"vm.overcommit_ratio", "vm.overcommit_kbytes"},
	} {
		k := sysctl.Key(pair[0])
		first, err := op.Observe(t.Context(), k)
		check(t, err)
		states := []item.State{
			first, sysctl.Value(pair[0], "11"), sysctl.Value(pair[1], "1048576"),
			sysctl.Value(pair[0], "0"), sysctl.Value(pair[1], "2097152"),
		}
		for _, from := range states {
			for _, to := range append(states, first) {
				apply(t, op, k, from)
				apply(t, op, k, to)
			}
		}
		apply(t, op, k, first)
	}
}

func apply(t *testing.T, op *sysctl.Operation, k item.Key, to item.State) {
	t.Helper()
	from, err := op.Observe(t.Context(), k)
	check(t, err)
	check(t, op.Apply(t.Context(), k, from, to))
	if got, err := op.Observe(t.Context(), k); got != to {
		t.Errorf("%s: %s -> %s gave %s, %v", k, from, to, got, err)
	}
}

// TestNeighbourDefaultsAreCopied: only the first network namespace has these keys of
// default.
func TestNeighbourDefaultsAreCopied(t *testing.T) {
	disposable(t)
	_ = exec.Command("/bin/ip", "link", "set", "lo", "up").Run()
	all := gauges(t, "net", "mtu", "nf_conntrack_count", "stable_secret")
	op := sysctl.New(realMachine(), "boot")
	written := 0
	for _, g := range all {
		if second, ok := other(g.path, g.value); ok && !older(g) && strings.Contains(g.path, "neigh/default/") {
			first := g.value
			if checkWrite(t, op, all, g, second) && checkWrite(t, op, all, g, first) {
				written++
			}
		}
	}
	if written < 20 {
		t.Errorf("%d keys written", written)
	}
}

// TestNothingElseChangesUnforeseen is TestNothingBelowNetChangesUnforeseen for the
// directories that have no namespaces.
func TestNothingElseChangesUnforeseen(t *testing.T) {
	disposable(t)
	all := gauges(t, "", "random", "ns_last_pid", "dentry-state", "inode-nr", "inode-state", "file-nr", "aio-nr", "pty")
	all = slices.DeleteFunc(all, func(g *gauge) bool { return unsafe(g.path) })
	op := sysctl.New(realMachine(), "boot")
	written := 0
	for _, g := range all {
		second, ok := other(g.path, g.value)
		if !ok || older(g) {
			continue
		}
		first := g.value
		if checkWrite(t, op, all, g, second) && checkWrite(t, op, all, g, first) {
			written++
		}
	}
	t.Logf("%d keys written, %d watched", written, len(all))
}

// unsafe are keys that stop the machine, cannot be taken back, count, or are tested
// elsewhere.
func unsafe(path string) bool {
	top, _, _ := strings.Cut(path, "/")
	if !slices.Contains([]string{"fs", "kernel", "net", "user", "vm"}, top) {
		return true
	}
	return slices.ContainsFunc([]string{
		"panic", "sysrq", "modules_disabled", "kexec", "unprivileged_bpf", "yama", "cad_pid", "hung_task", "oops",
		"drop_caches", "reboot", "/conf/", "/neigh/", "dirty_", "overcommit_", "watchdog", "random", "nf_conntrack_count",
	}, func(word string) bool { return strings.Contains(path, word) })
}

// TestWatchdogsDoWhatTheyAreAskedTo writes every state of the three keys after every
// other, each read in between, and holds what else changes against the rules.
func TestWatchdogsDoWhatTheyAreAskedTo(t *testing.T) {
	disposable(t)
	all := gauges(t, "kernel", "random")
	all = slices.DeleteFunc(all, func(g *gauge) bool { return !strings.HasSuffix(g.path, "watchdog") })
	op := sysctl.New(realMachine(), "boot")
	for range 3 {
		for _, g := range all {
			if g.path == "kernel/nmi_watchdog" && g.value == "0" {
				continue // emulated machines have none
			}
			for _, text := range []string{"0", "1"} {
				foreseen, err := op.Effects(t.Context(), g.key, item.Text(g.value), item.Text(text))
				check(t, err)
				was := g.value
				apply(t, op, g.key, item.Text(text))
				read(all)
				for _, e := range foreseen {
					if got, _ := op.Observe(t.Context(), e.Key); was != text && got != e.To && e.Key != "sysctl/kernel.nmi_watchdog" {
						t.Errorf("%s=%s: %s is %s, foreseen was %s", g.path, text, e.Key, got, e.To)
					}
				}
			}
		}
	}
}

// TestDefaultCongestionControlBecomesAllowed: an algorithm that is made the default may
// be chosen by every program from then on.
func TestDefaultCongestionControlBecomesAllowed(t *testing.T) {
	disposable(t)
	proc := realMachine().Proc
	op := sysctl.New(realMachine(), "boot")
	const allowed, current = "net/ipv4/tcp_allowed_congestion_control", "net/ipv4/tcp_congestion_control"
	check(t, proc.WriteSysctl(current, "reno"))
	check(t, proc.WriteSysctl(allowed, "reno"))
	k := sysctl.Key("net.ipv4.tcp_congestion_control")
	foreseen, err := op.Effects(t.Context(), k, item.Text("reno"), item.Text("cubic"))
	check(t, err)
	apply(t, op, k, item.Text("cubic"))
	got, err := op.Observe(t.Context(), "sysctl/net.ipv4.tcp_allowed_congestion_control")
	check(t, err)
	if len(foreseen) != 1 || foreseen[0].To != got {
		t.Errorf("allowed is %s, foreseen was %v", got, foreseen)
	}
	apply(t, op, k, item.Text("reno"))
	if again, _ := op.Observe(t.Context(), "sysctl/net.ipv4.tcp_allowed_congestion_control"); again != got {
		t.Errorf("allowed went back by itself, to %s", again)
	}
	apply(t, op, "sysctl/net.ipv4.tcp_allowed_congestion_control", item.Text("reno"))
}
