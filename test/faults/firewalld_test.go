package faults

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/trace"
	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// firewalldRoot is where the root file system with a firewalld in it is shown.
const firewalldRoot = "/run/firewalld-root"

const trusting = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec: {nodeSelector: {}, firewalld: {trustedInterfaces: [cilium_host, "lxc+"], untrustedInterfaces: [lxcbr0]}}
`

// walled is a story on a host with a firewalld.
type walled struct {
	killing
	*testbed.Firewalld
}

// inWalled runs a test in a sandbox with a firewalld, and returns nil outside of it.
func inWalled(t *testing.T) *walled {
	t.Helper()
	if testing.Short() {
		t.Skip("starts firewalld: not with -short")
	}
	file := built(t)
	if testbed.Reexec(t, testbed.SandboxOptions{Root: firewalldRoot}) {
		return nil
	}
	at := func(path string) string { return firewalldRoot + path }
	// The program runs with that root as its own: a tree that is named to it does not run.
	const inside = "/run/bootstrap"
	w := &world{t: t, looker: newLooker(at("/etc/firewalld"), at("/etc/sysctl.d"), at("/var/lib")), program: "/usr/sbin/chroot", flags: []string{firewalldRoot, inside}, root: firewalldRoot}
	w.looker.withoutMounts = true
	w.showProc(at("/proc"))
	w.copy(file, at(inside))
	w.write(at(fileA), trusting)
	return &walled{
		killing:   killing{world: w, story: story{name: "up", do: applyA, undo: func(w *world) { w.bootstrap(purge...) }}},
		Firewalld: testbed.StartFirewalld(t, firewalldRoot, testbed.NFTables),
	}
}

// showProc shows the sandbox's processes and settings below a root.
func (w *world) showProc(at string) {
	w.t.Helper()
	if err := unix.Mount("/proc", at, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) copy(from, to string) {
	w.t.Helper()
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, content, 0o755)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// zones are the bindings of this moment; those in firewalld's files are files.
func (k *walled) zones() snapshot.Snapshot {
	s := k.look()
	for _, zone := range []string{"trusted", "public", "block", "drop"} {
		s["zone "+zone] = k.Call("org.fedoraproject.FirewallD1.zone.getInterfaces", "string:"+zone)
	}
	return s
}

// is holds files and zones against what they should be.
func (k *walled) is(want snapshot.Snapshot, when string) {
	k.t.Helper()
	if diff := snapshot.Diff(want, k.zones()); len(diff) > 0 {
		k.t.Fatalf("%s the host is not as it should be: %q", when, diff)
	}
}

// undisturbed plays the run and takes it back. It returns the host before and after it.
func (k *walled) undisturbed() (before, after snapshot.Snapshot, r *trace.Run) {
	k.t.Helper()
	before = k.zones()
	if r = k.traced(nil, k.do...); r.ExitCode != 0 {
		k.t.Fatalf("ended with %d: %s", r.ExitCode, r.Output)
	}
	after = k.zones()
	k.undo(k.world)
	k.is(before, "after an undisturbed run and its undoing")
	return before, after, r
}

// recovers disturbs a run twice: another run brings all that is wished, and undoing takes
// all back, with that run and without.
func (k *walled) recovers(when string, before, after snapshot.Snapshot, disturb func()) {
	k.t.Helper()
	disturb()
	k.bootstrap(k.do...)
	k.is(after, when+" and another run")
	k.changesNothing(when, k.do...)
	k.undo(k.world)
	k.is(before, when+", another run and its undoing")
	disturb()
	k.undo(k.world)
	k.is(before, when+" and undoing")
}

// TestKillSweepOfFirewalld is TestKillSweep for what is asked of firewalld: a run is killed
// before each message to it, too.
func TestKillSweepOfFirewalld(t *testing.T) {
	k := inWalled(t)
	if k == nil {
		return
	}
	before, after, r := k.undisturbed()
	k.calls = names(r.Calls)
	recovered := 0
	for n := 0; n < len(k.calls); n += everyNth() {
		k.recovers("after a kill at "+k.calls[n], before, after, func() { k.kill(n) })
		recovered++
	}
	tell(t, "kill points with firewalld: %d tried, all recovered, of %d that there are", recovered, len(k.calls))
}

// everyNth is how far the kills of the short form are apart: firewalld is slow.
func everyNth() int {
	if long {
		return 1
	}
	return 15
}

// TestFirewalldIsRestartedInTheMiddle restarts it before a message of a run.
func TestFirewalldIsRestartedInTheMiddle(t *testing.T) {
	k := inWalled(t)
	if k == nil {
		return
	}
	before, after, r := k.undisturbed()
	sent := someOf(sentBy(r))
	for _, n := range sent {
		k.traced(func(at int, _ trace.Call) trace.Verdict {
			if at == n {
				k.Stop()
				k.Start()
			}
			return trace.Verdict{}
		}, k.do...)
		k.bootstrap(k.do...)
		k.is(after, "after a restart at "+names(r.Calls)[n]+" and another run")
		k.undo(k.world)
		k.is(before, "after a restart and undoing")
	}
	tell(t, "firewalld restarted in the middle of a run: %d times, all bindings made", len(sent))
}
