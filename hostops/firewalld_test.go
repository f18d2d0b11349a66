package hostops_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const trust = `firewalld: {trustedInterfaces: [cilium_host, "lxc*"], untrustedInterfaces: [lxcbr0]}`

func firewalled() *fake.Host { return fake.New(fake.HasFirewalld("nftables")) }

func live(name string) machine.Binding  { return machine.Binding{Name: name} }
func filed(name string) machine.Binding { return machine.Binding{Name: name, Permanent: true} }

// zoneOf asks the host itself.
func zoneOf(t *testing.T, h *fake.Host, b machine.Binding) string {
	t.Helper()
	zone, err := h.Machine().Firewall.ZoneOf(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// inZones holds the zones of the three interfaces, in one configuration, against some.
func inZones(t *testing.T, h *fake.Host, permanent bool, want ...string) {
	t.Helper()
	for i, name := range []string{"cilium_host", "lxc+", "lxcbr0"} {
		if got := zoneOf(t, h, machine.Binding{Name: name, Permanent: permanent}); got != want[i] {
			t.Errorf("%s is in zone %q, want %q (permanent: %v)", name, got, want[i], permanent)
		}
	}
}

func down(t *testing.T, h *fake.Host) item.Report {
	t.Helper()
	r, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range r.Results() {
		if !res.OK() {
			t.Errorf("down: %s is %s: %s", res.Key, res.Outcome, res.Message)
		}
	}
	return r
}

// reasons are the reasons of the results, by key without its kind.
func reasons(r item.Report) map[string]item.Reason {
	out := map[string]item.Reason{}
	for _, res := range r.Results() {
		if res.Reason != "" {
			out[res.Key.Name()] = res.Reason
		}
	}
	return out
}

func TestTrustIsInBothConfigurationsAndGivenBack(t *testing.T) {
	h := firewalled()
	before := h.Clone().String()
	r := up(t, h, trust)
	for _, res := range r.Results() {
		if res.Outcome != item.Changed {
			t.Errorf("%s is %s: %s", res.Key, res.Outcome, res.Message)
		}
	}
	inZones(t, h, false, "trusted", "trusted", "public")
	inZones(t, h, true, "trusted", "trusted", "public")
	n := h.Mutations()
	up(t, h, trust)
	if h.Mutations() != n {
		t.Errorf("the second run changes %d things", h.Mutations()-n)
	}
	down(t, h)
	if got := h.String(); got != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, before)
	}
}

// handmade is a zone file as only a person writes it.
const handmade = "<?xml version='1.0'?>\n<!-- ours, since 2019 -->\n<zone   target=\"ACCEPT\">\n\n  <interface name='tun0'/></zone>\n"

func TestAZoneFileOfAPersonIsGivenBackByteForByte(t *testing.T) {
	h := firewalled()
	h.PutFile(zonefile.Path("trusted"), handmade)
	h.PutFile(zonefile.Backup("trusted"), "older")
	h.ReloadFirewalld()
	before := h.Clone().String()
	up(t, h, trust)
	if zoneOf(t, h, filed("tun0")) != "trusted" {
		t.Error("a person's binding is gone")
	}
	down(t, h)
	if got := h.String(); got != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, before)
	}
}

func TestAZoneFileThatOthersChangedMeanwhileIsLeft(t *testing.T) {
	h := firewalled()
	up(t, h, trust)
	h.SetZone(filed("tun0"), "trusted")
	down(t, h)
	if zoneOf(t, h, filed("tun0")) != "trusted" || zoneOf(t, h, filed("cilium_host")) != "" {
		t.Error("somebody's binding is gone, or ours is still there")
	}
}

func TestAKillAtAnyStepLeavesNothingBehind(t *testing.T) {
	plain := firewalled()
	plain.PutFile(zonefile.Path("trusted"), handmade)
	plain.ReloadFirewalld()
	before := plain.Clone().String()
	for n := 0; ; n++ {
		h := plain.Clone()
		host := open(t, h)
		h.StopAt(n)
		_, err := host.Up(t.Context(), site(t, trust), hostops.UpOptions{})
		finished := err == nil && !h.Dead()
		h.Revive()
		if !finished {
			up(t, h, trust)
		}
		inZones(t, h, true, "trusted", "trusted", "public")
		host = open(t, h)
		h.StopAt(n)
		_, err = host.Down(t.Context(), hostops.DownOptions{Purge: true})
		gone := err == nil && !h.Dead()
		h.Revive()
		if !gone {
			down(t, h)
		}
		if got := h.String(); got != before {
			t.Fatalf("killed at step %d:\n%s\nbefore up:\n%s", n, got, before)
		}
		if finished && gone {
			return
		}
	}
}

func TestAbsenceIsRepairedAndPresenceElsewhereIsNot(t *testing.T) {
	h := firewalled()
	up(t, h, trust)
	h.SetZone(live("cilium_host"), "")
	up(t, h, "")
	inZones(t, h, false, "trusted", "trusted", "public")

	h.SetZone(live("cilium_host"), "internal")
	r := up(t, h, "")
	inZones(t, h, false, "internal", "trusted", "public")
	if reasons(r)["runtime/trusted/cilium_host"] != firewalld.ZoneConflict {
		t.Errorf("reasons %v", reasons(r))
	}
	for _, res := range r.Results() {
		if res.Reason == firewalld.ZoneConflict && res.Fix != "firewall-cmd --zone=trusted --change-interface=cilium_host" {
			t.Errorf("fix %q", res.Fix)
		}
	}
	down(t, h)
	inZones(t, h, false, "internal", "", "")
}

func TestWhatIsElsewhereAtFirstSightIsLeftThereAndNotRecorded(t *testing.T) {
	h := firewalled()
	h.SetZone(filed("cilium_host"), "internal")
	h.ReloadFirewalld()
	r := up(t, h, trust)
	inZones(t, h, false, "internal", "trusted", "public")
	inZones(t, h, true, "internal", "trusted", "public")
	if reasons(r)["permanent/trusted/cilium_host"] != firewalld.ZoneConflict {
		t.Errorf("reasons %v", reasons(r))
	}
	down(t, h)
	inZones(t, h, true, "internal", "", "")
}

func TestWhatAnAdminTrustedStaysTrusted(t *testing.T) {
	h := firewalled()
	for _, b := range []machine.Binding{live("cilium_host"), filed("cilium_host")} {
		h.SetZone(b, "trusted")
	}
	up(t, h, trust)
	owned, err := open(t, h).OwnedFirewalldInterfaces(t.Context())
	if err != nil || slices.ContainsFunc(owned, func(s string) bool { return strings.Contains(s, "cilium_host") }) || len(owned) != 4 {
		t.Errorf("owned %q, %v", owned, err)
	}
	down(t, h)
	inZones(t, h, false, "trusted", "", "")
	inZones(t, h, true, "trusted", "", "")
}

func TestAStoppedFirewalldHasItsFilesChangedInBothDirections(t *testing.T) {
	h := firewalled()
	h.SetFirewalld(machine.FirewallStopped)
	before := h.Clone().String()
	r := up(t, h, trust)
	inZones(t, h, true, "trusted", "trusted", "public")
	for _, res := range r.Results() {
		if strings.HasPrefix(res.Key.Name(), "runtime/") && (res.Outcome != item.Skipped || res.Reason != firewalld.NotRunning) {
			t.Errorf("%s is %s: %s", res.Key, res.Outcome, res.Reason)
		}
	}
	h.SetFirewalld(machine.FirewallRunning)
	inZones(t, h, false, "trusted", "trusted", "public")
	up(t, h, "")
	h.SetFirewalld(machine.FirewallStopped)
	down(t, h)
	if got := h.String(); got != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, before)
	}
}

func TestMaskedAndAbsentAreStatesAndNothingIsStarted(t *testing.T) {
	for state, reason := range map[machine.FirewallState]item.Reason{
		machine.FirewallMasked: firewalld.Masked, machine.FirewallAbsent: firewalld.NotInstalled,
	} {
		h := firewalled()
		h.SetFirewalld(state)
		r := up(t, h, trust)
		for _, res := range r.Results() {
			if res.Outcome != item.Skipped || res.Reason != reason {
				t.Errorf("%s: %s is %s: %s", state, res.Key, res.Outcome, res.Reason)
			}
		}
		inZones(t, h, true, "", "", "")
		down(t, h)
	}
}

func TestWhatWasBoundBeforeAMaskIsKeptAndGivenBack(t *testing.T) {
	h := firewalled()
	before := h.Clone()
	before.SetFirewalld(machine.FirewallMasked)
	up(t, h, trust)
	h.SetFirewalld(machine.FirewallMasked)
	up(t, h, "")
	inZones(t, h, true, "trusted", "trusted", "public")
	down(t, h)
	if got, want := h.String(), before.String(); got != want {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, want)
	}
}

func TestAFirewalldThatIsNotAskedDelaysOnlyItsOwnItems(t *testing.T) {
	h := firewalled()
	h.FailFirewalld(machine.ErrImpostor)
	r := up(t, h, "sysctls: [{name: vm.swappiness, value: 10}], "+trust)
	if value(h, "vm/swappiness") != "10" {
		t.Error("a sysctl waits for firewalld")
	}
	for k, reason := range reasons(r) {
		if reason != firewalld.PermissionDenied {
			t.Errorf("%s: %s", k, reason)
		}
	}
	h.FailFirewalld(nil)
	up(t, h, "")
	inZones(t, h, true, "trusted", "trusted", "public")
	h.FailFirewalld(errors.New("silent"))
	r = up(t, h, "")
	for _, res := range r.Results() {
		if res.Key.Kind() == item.Firewalld && res.Outcome != item.Unseen && res.Outcome != item.Right {
			t.Errorf("%s is %s although nobody answers", res.Key, res.Outcome)
		}
	}
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	h.FailFirewalld(nil)
	inZones(t, h, true, "trusted", "trusted", "public")
	down(t, h)
	for _, zone := range []string{"trusted", "public"} {
		if content, there := h.File(zonefile.Path(zone)); there {
			t.Errorf("the file of zone %s is left behind:\n%s", zone, content)
		}
	}
}

// TestAFirewalldThatWasRemovedKeepsNothingFromGoing: its files stayed, and what reads and
// changes them is gone.
func TestAFirewalldThatWasRemovedKeepsNothingFromGoing(t *testing.T) {
	h := firewalled()
	up(t, h, trust)
	h.SetFirewalld(machine.FirewallAbsent)
	up(t, h, "")
	down(t, h)
	if left, err := open(t, h).Remains(); err != nil || len(left) > 0 {
		t.Errorf("%q remain, %v", left, err)
	}
}

// TestAReadOnlyEtcLeavesTheRuntimeBindings: what could not be made permanent is told, with
// the command that makes it so.
func TestAReadOnlyEtcLeavesTheRuntimeBindings(t *testing.T) {
	h := firewalled()
	h.FailChange(zonefile.Path("trusted"), machine.ErrReadOnly)
	r := up(t, h, trust)
	inZones(t, h, false, "trusted", "trusted", "public")
	inZones(t, h, true, "", "", "public")
	for _, res := range r.Results() {
		if res.Key == "firewalld/permanent/trusted/lxc+" &&
			(res.Outcome != item.Failed || res.Reason != firewalld.RuntimeOnly || res.Fix != "firewall-cmd --permanent --zone=trusted --add-interface=lxc+") {
			t.Errorf("%s is %s: %s; %s", res.Key, res.Outcome, res.Reason, res.Fix)
		}
	}
	h.FailChange(zonefile.Path("trusted"), nil)
	up(t, h, "")
	inZones(t, h, true, "trusted", "trusted", "public")
	down(t, h)
	if _, there := h.File(zonefile.Path("trusted")); there {
		t.Error("the zone's file is left behind")
	}
}

func TestAHostWithoutTheZoneIsToldSo(t *testing.T) {
	h := firewalled()
	h.Delete(zonefile.Dirs[1] + "/trusted.xml")
	r := up(t, h, trust)
	for _, res := range r.Results() {
		if strings.HasSuffix(string(res.Key), "/trusted/cilium_host") && (res.Outcome != item.Failed || !strings.Contains(res.Message, "no zone trusted")) {
			t.Errorf("%s is %s: %s", res.Key, res.Outcome, res.Message)
		}
	}
	inZones(t, h, true, "", "", "public")
}

// TestTheWatcherTellsAndCountsReloads: a stop is left to the poll, and a binding that
// somebody changes is no reload.
func TestTheWatcherTellsAndCountsReloads(t *testing.T) {
	h := firewalled()
	ctx, cancel := context.WithCancel(t.Context())
	w := open(t, h).Watcher()
	told, done := make(chan bool, 1000), make(chan error, 1)
	go func() {
		done <- w.Run(ctx, func(cause string) {
			if cause == hostops.CauseFirewalld {
				told <- true
			}
		})
	}()
	for listening := false; !listening; {
		h.SetZone(live("cilium_host"), "internal")
		select {
		case <-told:
			listening = true
		case <-time.After(time.Millisecond):
		}
	}
	h.ReloadFirewalld()
	h.SetFirewalld(machine.FirewallStopped)
	h.SetFirewalld(machine.FirewallRunning)
	for end := time.Now().Add(10 * time.Second); w.Reloads().Count < 2 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := w.Reloads().Count; n != 2 {
		t.Errorf("%d reloads", n)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestARestartInTheMiddleOfARunIsNoFailure: nothing is edited behind a firewalld that is
// just starting again, and the next run makes up for it.
func TestARestartInTheMiddleOfARunIsNoFailure(t *testing.T) {
	h := firewalled()
	ended := false
	h.OnStep(func(int) {
		if !ended && zoneOf(t, h, live("cilium_host")) != "" {
			ended = true
			h.FailFirewalld(machine.ErrWentAway)
		}
	})
	r := up(t, h, trust)
	h.OnStep(nil)
	if len(reasons(r)) == 0 {
		t.Error("nothing tells that firewalld went away")
	}
	for _, res := range r.Results() {
		if res.Reason != "" && res.Reason != firewalld.NotRunning {
			t.Errorf("%s is %s: %s", res.Key, res.Outcome, res.Reason)
		}
	}
	h.FailFirewalld(nil)
	up(t, h, "")
	inZones(t, h, false, "trusted", "trusted", "public")
	inZones(t, h, true, "trusted", "trusted", "public")
}

func TestTheDefaultRoutesInterfaceIsNeverTrusted(t *testing.T) {
	h := firewalled()
	h.AddLink("ens3")
	h.AddDefaultRoute("ens3", "192.0.2.1", "", 100)
	h.AddLink("ens4")
	h.AddDefaultRoute("ens4", "2001:db8::1", "", 100)
	r := up(t, h, `firewalld: {trustedInterfaces: ["en+", ens4, cilium_host]}`)
	if zoneOf(t, h, live("en+")) != "" || zoneOf(t, h, live("ens4")) != "" || zoneOf(t, h, live("cilium_host")) != "trusted" {
		t.Error("the wildcard for the NIC is trusted, or nothing is")
	}
	if reasons(r)["permanent/trusted/en+"] != firewalld.WouldOpenHost {
		t.Errorf("reasons %v", reasons(r))
	}
}

func TestAnOpenDefaultZoneKeepsNothingOut(t *testing.T) {
	h := firewalled()
	h.SetDefaultZone("trusted")
	r := up(t, h, trust)
	inZones(t, h, false, "trusted", "trusted", "")
	if reasons(r)["runtime/trusted/lxcbr0"] != firewalld.WouldOpenHost {
		t.Errorf("reasons %v", reasons(r))
	}
}

func TestAnotherDefaultZoneIsFollowed(t *testing.T) {
	h := firewalled()
	up(t, h, trust)
	h.SetDefaultZone("internal")
	up(t, h, "")
	up(t, h, "")
	inZones(t, h, false, "trusted", "trusted", "internal")
	inZones(t, h, true, "trusted", "trusted", "internal")
	down(t, h)
	inZones(t, h, true, "", "", "")
}

func TestUntrustedBeatsTrustedWhateverThePriority(t *testing.T) {
	h := firewalled()
	r := up(t, h, `firewalld: {trustedInterfaces: [lxcbr0, "lxc+"], untrustedInterfaces: [lxcbr0]}`)
	for _, res := range r.Results() {
		if strings.HasSuffix(string(res.Key), "/trusted/lxcbr0") {
			t.Errorf("%s is %s", res.Key, res.Outcome)
		}
	}
	if zone := zoneOf(t, h, filed("lxcbr0")); zone != "public" {
		t.Errorf("lxcbr0 is in zone %q", zone)
	}
}

func TestARebootKeepsWhatIsOurs(t *testing.T) {
	h := firewalled()
	before := h.Clone()
	before.Reboot()
	up(t, h, trust)
	h.Reboot()
	up(t, h, "")
	inZones(t, h, false, "trusted", "trusted", "public")
	down(t, h)
	inZones(t, h, false, "", "", "")
	if got, want := h.String(), before.String(); got != want {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, want)
	}
}

// TestASourceOfAnOlderRecordIsReleasedAndAForeignOneStays: no source is ever added.
func TestASourceOfAnOlderRecordIsReleasedAndAForeignOneStays(t *testing.T) {
	h := firewalled()
	up(t, h, "firewalld: {trustedInterfaces: [cilium_host]}")
	ours, foreign := "198.51.100.0/24", "203.0.113.0/24"
	record, _ := h.File(paths.Ledger)
	for _, where := range []string{"runtime", "permanent"} {
		record = strings.ReplaceAll(record, "firewalld/"+where+"/trusted/cilium_host", "firewalld/"+where+"-source/trusted/"+ours)
		for _, name := range []string{ours, foreign} {
			h.SetZone(machine.Binding{Source: true, Name: name, Permanent: where == "permanent"}, "trusted")
		}
	}
	h.PutFile(paths.Ledger, record)
	owned, err := open(t, h).OwnedFirewalldSources(t.Context())
	if err != nil || len(owned) != 2 {
		t.Errorf("owned %q, %v", owned, err)
	}
	up(t, h, "")
	for _, permanent := range []bool{false, true} {
		if zone := zoneOf(t, h, machine.Binding{Source: true, Name: ours, Permanent: permanent}); zone != "" {
			t.Errorf("our source is in zone %q", zone)
		}
		if zone := zoneOf(t, h, machine.Binding{Source: true, Name: foreign, Permanent: permanent}); zone != "trusted" {
			t.Errorf("somebody's source is in zone %q", zone)
		}
	}
}

func TestTrustAndUntrustAloneTouchNothingElse(t *testing.T) {
	h := firewalled()
	up(t, h, "sysctls: [{name: vm.swappiness, value: 10}]")
	if _, err := open(t, h).TrustPodInterfaces(t.Context(), site(t, trust)); err != nil {
		t.Fatal(err)
	}
	inZones(t, h, true, "trusted", "trusted", "public")
	var told strings.Builder
	if err := open(t, h).UntrustPodInterfaces(t.Context(), &told); err != nil {
		t.Fatal(err)
	}
	inZones(t, h, true, "", "", "")
	inZones(t, h, false, "", "", "")
	if value(h, "vm/swappiness") != "10" || !strings.Contains(told.String(), "firewalld/permanent/trusted/lxc+: Restored") {
		t.Errorf("swappiness %s; told %s", value(h, "vm/swappiness"), told.String())
	}
}
