package resident_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

func TestABootIsBroughtToWhatWasAcceptedLast(t *testing.T) {
	w := newWorld(t, fake.Boots(nil)) // nothing reads our file
	w.up(sysctl("vm.swappiness", "10"))
	fleet := hostops.Accepted{UID: "1", Profile: profile(t, "fleet", sysctl("vm.max_map_count", "262144"))}
	if _, err := w.open("agent").Reconcile(t.Context(), []hostops.Accepted{fleet}, hostops.ReconcileOptions{}); err != nil {
		t.Fatal(err)
	}
	w.boot().is(swappiness, "10").is("vm/max_map_count", "262144").ready(true, "all that is required holds")
	if len(w.console) > 0 {
		t.Errorf("on the console of a host that is well: %q", w.console)
	}
	if n := w.writes(func() { w.step().step() }); n > 8 { // three locks come and go
		t.Errorf("%d writes on a host that is as wished", n)
	}
}

func TestKubeletWaitsForWhatTheKernelRefuses(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile("/etc/sysctl.d/zzz-cis.conf", "# hardened\nvm.overcommit_memory = 2\n")
	w.up("sysctls: [{name: vm.overcommit_memory, value: 1}, {name: vm.swappiness, value: 10}]")
	w.host.FailSysctlWrite(overcommit, machine.ErrInvalid)
	const message = "kubelet is waiting for vm.overcommit_memory: is 2, want 1, set by /etc/sysctl.d/zzz-cis.conf:2, "
	w.boot().is(swappiness, "10").ready(false, message)
	if len(w.console) != 1 || !strings.HasPrefix(w.console[0], "hostprofile: "+message) {
		t.Errorf("console %q", w.console)
	}
	var waits []time.Duration
	for range 8 {
		waits = append(waits, w.again.Sub(w.now))
		w.now = w.again
		w.step()
	}
	if waits[0] != time.Second || waits[3] != 8*time.Second || waits[7] != 30*time.Second {
		t.Errorf("tried again after %v", waits)
	}
	if len(w.told) != 1 || len(w.console) != 1 {
		t.Errorf("the same is told again: %q, %q", w.told, w.console)
	}
	w.host.EndFaults()
	w.step().is(overcommit, "1").ready(true, "all that is required holds")
	if len(w.console) != 2 {
		t.Errorf("console %q", w.console)
	}
}

func TestWhatNobodyRequiresHoldsUpNobody(t *testing.T) {
	w := newWorld(t)
	w.up("sysctls: [{name: vm.swappiness, value: 10}, {name: net.ipv4.conf.eth7.rp_filter, value: 0}," +
		" {name: kernel.no_such_key, value: 1, ifMissing: Skip}]")
	w.boot().is(swappiness, "10").ready(true, "all that is required holds")
}

func TestTheOtherStagesAreAppliedWithoutAnAddress(t *testing.T) {
	w := newWorld(t, fake.Boots(nil))
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.host.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	w.up("nodeIP: {}, " + sysctl("vm.swappiness", "10"))
	w.host.RemoveIP("eth0", "192.0.2.10")
	w.boot().is(swappiness, "10").ready(false, "kubelet is waiting for the address of the node: ")
	if w.again.IsZero() {
		t.Error("it does not look again")
	}
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.step().ready(true, "all that is required holds")
}

// An address is kept for good: at the first boot of an image the network may not be whole.
func TestAnAddressThatMayChangeIsWaitedForAsLongAsTheProfileSays(t *testing.T) {
	w := newWorld(t, fake.Link("eth1"))
	w.up(sysctl("vm.swappiness", "10"))
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.host.SetLink("eth1", func(l *machine.Link) { l.Up, l.Carrier, l.Hardware = true, true, true })
	image, err := json.Marshal(hostops.Input{Major: 1, Profiles: []v1alpha1.HostProfile{profile(t, "site", "nodeIP: {waitSeconds: 20}")}})
	if err != nil {
		t.Fatal(err)
	}
	w.host.PutFile(paths.Input, string(image))
	w.now = w.host.Now()
	w.start().step().ready(false, "kubelet is waiting for the address of the node: it would be 192.0.2.10 now, and may be another one")
	w.host.Advance(19 * time.Second)
	w.step().ready(false, "it would be 192.0.2.10")
	if text, there := w.host.File(paths.NodeIP); there {
		t.Errorf("kept already: %s", text)
	}
	w.host.Advance(time.Second)
	w.step().ready(true, "all that is required holds")
	if text, _ := w.host.File(paths.NodeIP); !strings.Contains(text, "192.0.2.10") {
		t.Errorf("kept: %s", text)
	}
}

func TestAHostThatWillNotDoKeepsKubeletWaiting(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.swappiness", "10"))
	w.host.SetDefault("kernel/osrelease", "3.10.0-1160.el7.x86_64") // somebody booted an old one
	w.boot().is(swappiness, "10").ready(false, "kubelet is waiting for a host that will do: kernel 3.10.0-1160.el7.x86_64 is older than 4.19.57; install ")
	w.host.SetDefault("kernel/osrelease", "6.12.74+deb13+1-amd64")
	w.boot().ready(true, "all that is required holds")
}

// A node that has run with version 1 of control groups is told to change, and not lost at
// its next boot.
func TestControlGroupsHoldUpNobody(t *testing.T) {
	w := newWorld(t)
	w.host.SetProc("/proc/1/mounts", "tmpfs /sys/fs/cgroup tmpfs rw 0 0\ncgroup /sys/fs/cgroup/cpu cgroup rw 0 0\n")
	kubernetes := []v1alpha1.HostProfile{profile(t, "kubernetes", sysctl("vm.swappiness", "20"))}
	if _, err := w.open("bootstrap up").Up(t.Context(), kubernetes, hostops.UpOptions{}); err != nil {
		t.Fatal(err)
	}
	w.boot().is(swappiness, "20").ready(true, "all that is required holds")
}

func TestAGateThatOpenedStaysOpenInThisBoot(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.overcommit_memory", "1")).boot().ready(true, "")
	_ = w.host.SetSysctl(overcommit, "0")
	w.host.FailSysctlWrite(overcommit, machine.ErrInvalid)
	w.step().is(overcommit, "0").ready(true, "kubelet was started, and now this does not hold: vm.overcommit_memory: is 0, want 1")
	w.start().step().ready(true, "vm.overcommit_memory") // the unit was restarted
	if len(w.console) > 0 {
		t.Errorf("console %q", w.console)
	}
}

func TestAGateOfAnotherBootOrThatIsDamagedIsClosed(t *testing.T) {
	for content, part := range map[string]string{
		`{"bootID":"another","open":true}`: "hostprofile.service has not looked",
		"garbage":                          "cannot be read",
	} {
		w := newWorld(t)
		w.up(sysctl("vm.swappiness", "10"))
		w.host.PutFile(paths.Gate, content)
		if g := w.open("bootstrap gate").Gate(); g.Open || !strings.Contains(g.Message, part) {
			t.Errorf("%s: %+v", content, g)
		}
		w.start().step().ready(true, "all that is required holds")
	}
}

func TestAHostThatWasGivenBackIsLeftAloneAndHoldsUpNobody(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.up(sysctl("vm.swappiness", "10"))
	if _, err := w.open("bootstrap down").Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	w.host.Reboot()
	w.start()
	if n := w.writes(func() { w.step() }); n > 0 {
		t.Errorf("%d changes", n)
	}
	w.is(swappiness, was)
	if g, err := w.open("bootstrap gate").AwaitGate(t.Context(), 0); !g.Open || err != nil {
		t.Errorf("gate %+v, %v", g, err)
	}
	if len(w.told) != 2 || !strings.Contains(w.told[0], "given back by 'bootstrap down'") || w.told[1] != "READY=1" {
		t.Errorf("told %q", w.told)
	}
}

func TestAResidentLetsGoWhenTheHostIsGivenBack(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.up(sysctl("vm.swappiness", "10")).boot()
	if _, err := w.open("bootstrap down").Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if n := w.writes(func() { w.step().step() }); n > 1 { // its own lock
		t.Errorf("%d changes after the host was given back", n)
	}
	w.is(swappiness, was)
	w.up(sysctl("vm.swappiness", "20")).step().is(swappiness, "20").ready(true, "all that is required holds")
}

func TestAHostOnWhichNothingIsManagedHoldsUpNobody(t *testing.T) {
	newWorld(t).boot().ready(true, "nothing is managed on this host")
}

func TestAnUnreadableRecordIsNotWrittenOverAndTheGateStillMeansSomething(t *testing.T) {
	for name, damage := range map[string]func(w *world){
		"unreadable": func(w *world) { w.host.PutFile(paths.Ledger, "garbage") },
		"newer":      func(w *world) { w.host.PutFile(paths.Ledger, `{"major":99}`) },
		"lost":       func(w *world) { w.host.Delete(paths.Ledger) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.up(sysctl("vm.overcommit_memory", "1"))
			damage(w)
			ledger, _ := w.host.File(paths.Ledger)
			w.boot().is(overcommit, "1").ready(true, "nothing is written: ") // our boot file has set it
			_ = w.host.SetSysctl(overcommit, "0")
			w.host.Delete(paths.Gate)
			w.start().step().is(overcommit, "0").ready(false, "kubelet is waiting for vm.overcommit_memory: is 0, want 1; nothing is written: ")
			if now, _ := w.host.File(paths.Ledger); now != ledger {
				t.Errorf("the record is %q now", now)
			}
		})
	}
}

func TestAnInputThatCannotBeReadKeepsTheGateClosed(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.overcommit_memory", "1"))
	w.host.PutFile(paths.Input, "garbage")
	w.boot().ready(false, "kubelet is waiting until it can be told what is required: ")
}

func TestProfilesThatDisagreeHoldUpNobody(t *testing.T) {
	w := newWorld(t)
	one := hostops.Accepted{UID: "1", Profile: profile(t, "a", sysctl("vm.swappiness", "10"))}
	two := hostops.Accepted{UID: "2", Profile: profile(t, "b", sysctl("vm.swappiness", "20"))}
	for _, accepted := range [][]hostops.Accepted{{one}, {one, two}} {
		if _, err := w.open("agent").Reconcile(t.Context(), accepted, hostops.ReconcileOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	w.boot().is(swappiness, "10").ready(true, "all that is required holds")
}

// A kubelet that is started by hand waits as long as it is told to, and no longer.
func TestTheGateOpensForWhoWaitsAtIt(t *testing.T) {
	w := newWorld(t)
	w.up(sysctl("vm.overcommit_memory", "1"))
	w.host.FailSysctlWrite(overcommit, machine.ErrInvalid)
	_ = w.host.SetSysctl(overcommit, "0")
	w.host.Delete(paths.SysctlDropIn)
	w.boot().ready(false, "vm.overcommit_memory")
	gate := w.open("bootstrap gate")
	before := w.host.Now()
	if g, err := gate.AwaitGate(t.Context(), 10*time.Second); g.Open || err != nil || w.host.Now().Sub(before) != 10*time.Second {
		t.Errorf("%+v, %v after %v", g, err, w.host.Now().Sub(before))
	}
	w.host.After(3*time.Second, func() { w.host.EndFaults(); w.step() })
	before = w.host.Now()
	if g, err := gate.AwaitGate(t.Context(), 10*time.Second); !g.Open || err != nil || w.host.Now().Sub(before) > 4*time.Second {
		t.Errorf("%+v, %v after %v", g, err, w.host.Now().Sub(before))
	}
}
