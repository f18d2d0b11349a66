package hostops_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// open opens the host as a new process would.
func open(t testing.TB, h *fake.Host) *hostops.Host {
	t.Helper()
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: h.Machine(), Version: "test", Holder: "test", LockTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return host
}

func site(t testing.TB, spec string) []v1alpha1.HostProfile {
	t.Helper()
	text := "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec: {nodeSelector: {}, " + spec + "}\n"
	got, err := profile.Load("site.yaml", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

const swappiness = "sysctls: [{name: vm.swappiness, value: 10}], swap: Disabled, kernelModules: [{name: br_netfilter}]"

// up is one `up` that must succeed.
func up(t testing.TB, h *fake.Host, spec string) item.Report {
	t.Helper()
	var given []v1alpha1.HostProfile
	if spec != "" {
		given = site(t, spec)
	}
	r, err := open(t, h).Up(t.Context(), given, hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func value(h *fake.Host, path string) string {
	v, _ := h.Sysctl(path)
	return v
}

func TestUpTwiceWritesNothingTheSecondTime(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	up(t, h, swappiness)
	before := h.Mutations()
	r := up(t, h, swappiness)
	if n := h.Mutations() - before; n > 0 {
		t.Errorf("the second run changes %d things", n)
	}
	for _, res := range r.Results() {
		if res.Outcome != item.Right {
			t.Errorf("%s is %s", res.Key, res.Outcome)
		}
	}
}

func TestUpWithoutInputAppliesTheSavedOne(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	_ = h.SetSysctl("vm/swappiness", "99")
	up(t, h, "")
	if value(h, "vm/swappiness") != "10" {
		t.Errorf("swappiness is %s", value(h, "vm/swappiness"))
	}
}

func TestUpGivesBackWhatTheNewInputDoesNotWish(t *testing.T) {
	h := fake.New()
	was := value(h, "vm/swappiness")
	up(t, h, swappiness)
	up(t, h, "sysctls: [{name: vm.max_map_count, value: 262144}]")
	if value(h, "vm/swappiness") != was {
		t.Errorf("swappiness is %s, want %s", value(h, "vm/swappiness"), was)
	}
}

func TestDownLeavesOnlyTheMarker(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw 0 0\n")
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	h.Delete("/etc/sysctl.d")
	before := h.Clone()
	up(t, h, swappiness)
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	_ = before.Load("br_netfilter") // a module is never unloaded
	if got, want := h.String(), before.String(); got != want {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, want)
	}
}

// An agent keeps its lock for life, and leaves the file when it ends.
func TestDownTakesTheLockOfAnAgentThatHasEnded(t *testing.T) {
	h := fake.New()
	before := h.String()
	release, err := open(t, h).LockAgent()
	if err != nil {
		t.Fatal(err)
	}
	down := func() {
		t.Helper()
		if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
			t.Fatal(err)
		}
	}
	down()
	if _, err := h.Machine().Files.Lstat(paths.AgentLock); err != nil {
		t.Errorf("the lock of an agent that runs: %v", err)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	down()
	if got := h.String(); got != before {
		t.Errorf("after down:\n%s\nbefore:\n%s", got, before)
	}
}

func TestDownOnAnUnmanagedHostDoesNothing(t *testing.T) {
	h := fake.New()
	before := h.String()
	r, err := open(t, h).Down(t.Context(), hostops.DownOptions{})
	if err != nil || len(r.Results()) > 0 {
		t.Errorf("results %v, error %v", r.Results(), err)
	}
	if h.String() != before {
		t.Errorf("down changed an unmanaged host:\n%s", h.String())
	}
}

func TestDownReleasesAKeyWhoseModuleIsGone(t *testing.T) {
	h := fake.New()
	up(t, h, "kernelModules: [{name: br_netfilter}], sysctls: [{name: net.bridge.bridge-nf-call-iptables, value: 1}]")
	h.Hide("net/bridge/bridge-nf-call-iptables")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, there := h.File(paths.Ledger); there {
		t.Error("the ledger is left for a key that does not exist")
	}
}

func TestALostOrDamagedLedgerRefusesTheRun(t *testing.T) {
	damage := map[string]func(h *fake.Host){
		"lost":      func(h *fake.Host) { h.Delete(paths.Ledger) },
		"empty":     func(h *fake.Host) { h.PutFile(paths.Ledger, "") },
		"truncated": func(h *fake.Host) { text, _ := h.File(paths.Ledger); h.PutFile(paths.Ledger, text[:len(text)/2]) },
		"not ours":  func(h *fake.Host) { h.PutFile(paths.Ledger, "{}") },
	}
	for name, break_ := range damage {
		t.Run(name, func(t *testing.T) {
			h := fake.New()
			up(t, h, swappiness)
			break_(h)
			before := h.Mutations()
			_, upErr := open(t, h).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
			_, downErr := open(t, h).Down(t.Context(), hostops.DownOptions{})
			for _, err := range []error{upErr, downErr} {
				var refused *hostops.RefusedError
				if !errors.As(err, &refused) || refused.Reason != item.Reason(v1alpha1.ReasonLedgerUnreadable) {
					t.Errorf("not refused: %v", err)
				}
			}
			if n := h.Mutations() - before; n > 0 {
				t.Errorf("%d changes although the ledger is %s", n, name)
			}
		})
	}
}

func TestTruncatingTheLedgerAnywhereNeverMeansNothingOwned(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	text, _ := h.File(paths.Ledger)
	for n := range len(text) - 1 {
		h.PutFile(paths.Ledger, text[:n])
		_, err := open(t, h).Down(t.Context(), hostops.DownOptions{})
		var refused *hostops.RefusedError
		if !errors.As(err, &refused) {
			t.Fatalf("cut at byte %d: %v", n, err)
		}
	}
	if value(h, "vm/swappiness") != "10" {
		t.Error("the host was changed")
	}
}

func TestANewerLedgerIsKeptAndRefused(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	text, _ := h.File(paths.Ledger)
	newer := strings.Replace(text, `"major":1`, `"major":2`, 1)
	h.PutFile(paths.Ledger, newer)
	for _, adopt := range []bool{false, true} {
		_, err := open(t, h).Up(t.Context(), site(t, swappiness), hostops.UpOptions{Adopt: adopt})
		var refused *hostops.RefusedError
		if !errors.As(err, &refused) || refused.Reason != item.Reason(v1alpha1.ReasonLedgerNewer) {
			t.Errorf("adopt %v: not refused: %v", adopt, err)
		}
	}
	if now, _ := h.File(paths.Ledger); now != newer {
		t.Error("the newer ledger was changed")
	}
}

func TestUnknownFieldsAndKindsAreKept(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	text, _ := h.File(paths.Ledger)
	const more = `"entries":{"quota/home":{"before":"absent","ours":["=on"],"target":"=on","settled":"=on","phase":"Applied","depth":3},`
	h.PutFile(paths.Ledger, strings.Replace(text, `"entries":{`, `"since":"tomorrow",`+more, 1))
	up(t, h, "sysctls: [{name: vm.swappiness, value: 11}]")
	now, _ := h.File(paths.Ledger)
	for _, want := range []string{`"quota/home"`, `"depth":3`, `"since":"tomorrow"`} {
		if !strings.Contains(now, want) {
			t.Errorf("%s is lost:\n%s", want, now)
		}
	}
}

func TestAdoptGoesOnWithoutTheLedger(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	h.Delete(paths.Ledger)
	if _, err := open(t, h).Up(t.Context(), nil, hostops.UpOptions{Adopt: true}); err != nil {
		t.Fatal(err)
	}
	_ = h.SetSysctl("vm/swappiness", "99")
	up(t, h, "")
	if value(h, "vm/swappiness") != "10" {
		t.Error("not repaired after adopting")
	}
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	if value(h, "vm/swappiness") != "10" {
		t.Error("a value of unknown origin was changed by giving back")
	}
	if _, there := h.File(paths.SysctlDropIn); there {
		t.Error("our file is left")
	}
}

func TestDownAdoptRemovesOurFiles(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	h.PutFile(paths.Ledger, "garbage")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Adopt: true}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad, paths.Ledger, paths.Input} {
		if _, there := h.File(path); there {
			t.Errorf("%s is left", path)
		}
	}
	if kept, _ := h.File(paths.LedgerAside); kept != "garbage" {
		t.Error("the damaged ledger was not kept for a person to read")
	}
}

func TestConflictingProfilesAreRefusedBeforeAnythingIsWritten(t *testing.T) {
	h := fake.New()
	given := append(site(t, "sysctls: [{name: vm.swappiness, value: 10}]"), site(t, "sysctls: [{name: vm.swappiness, value: 20}]")...)
	given[1].Name = "other"
	before := h.Mutations()
	_, err := open(t, h).Up(t.Context(), given, hostops.UpOptions{})
	var conflict *hostops.ConflictError
	if !errors.As(err, &conflict) || h.Mutations() != before {
		t.Errorf("error %v, %d changes", err, h.Mutations()-before)
	}
}

func TestARunIsAnnouncedBeforeItChangesAnythingAndNotIfItIsRefused(t *testing.T) {
	h := fake.New()
	before := h.Mutations()
	announced := 0
	o := hostops.UpOptions{Announce: func() {
		announced++
		if n := h.Mutations() - before; n > 0 {
			t.Errorf("after %d changes", n)
		}
	}}
	_, err := open(t, h).Up(t.Context(), site(t, swappiness), o)
	if err != nil || announced != 1 || h.Mutations() == before {
		t.Errorf("announced %d times, %d changes: %v", announced, h.Mutations()-before, err)
	}
	before = h.Mutations()
	setKernel(h, "4.14.336")
	if _, err := open(t, h).Up(t.Context(), site(t, swappiness), o); err == nil || announced != 1 {
		t.Errorf("announced %d times, with a refused one: %v", announced, err)
	}
}

func TestTheRunLockNamesItsHolder(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	other := h.Start().Machine()
	if _, err := other.Locks.TryLock(paths.RunLock, "bootstrap up, pid 7"); err != nil {
		t.Fatal(err)
	}
	_, err := open(t, h).Up(t.Context(), nil, hostops.UpOptions{})
	var busy *machine.BusyError
	if !errors.As(err, &busy) || busy.Holder != "bootstrap up, pid 7" {
		t.Errorf("error %v", err)
	}
}

func TestARunThatWaitsForAnotherOneSaysSoOnce(t *testing.T) {
	for _, image := range []bool{false, true} {
		waitsAndSaysSo(t, hostops.Options{Image: image})
	}
}

func waitsAndSaysSo(t *testing.T, o hostops.Options) {
	t.Helper()
	h := fake.New()
	h.PutDir(paths.RunDir, fs.ModeDir|0o700)
	if _, err := h.Start().Machine().Locks.TryLock(paths.RunLock, "bootstrap up, pid 7"); err != nil {
		t.Fatal(err)
	}
	var told []string
	o.Machine, o.Holder, o.LockTimeout = h.Machine(), "test", time.Second
	o.Progress = func(stage string) { told = append(told, stage) }
	host, err := hostops.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var busy *machine.BusyError
	if _, err := host.Down(t.Context(), hostops.DownOptions{}); !errors.As(err, &busy) {
		t.Errorf("error %v", err)
	}
	if !slices.Equal(told, []string{"waiting for bootstrap up, pid 7"}) {
		t.Errorf("image %v: told %q", o.Image, told)
	}
}

func TestACloneKeepsTheWishAndForgetsTheOtherHostsValues(t *testing.T) {
	h := fake.New()
	h.PutFile(paths.MachineID, strings.Repeat("a", 32)+"\n")
	up(t, h, swappiness)
	h.PutFile(paths.MachineID, strings.Repeat("b", 32)+"\n")
	h.Reboot()
	up(t, h, "")
	if value(h, "vm/swappiness") != "10" {
		t.Error("the clone is not prepared")
	}
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	if value(h, "vm/swappiness") != "10" {
		t.Error("the clone was given the other host's value")
	}
}

func TestOneBadKeyDoesNotKeepTheOthersBack(t *testing.T) {
	h := fake.New()
	r := up(t, h, "sysctls: [{name: vm.swappiness, value: 10}, {name: vm.no_such_key, value: 1}, {name: kernel.no_such_key, value: 1, ifMissing: Skip}]")
	got := map[item.Key]item.Result{}
	for _, res := range r.Results() {
		got[res.Key] = res
	}
	if value(h, "vm/swappiness") != "10" {
		t.Error("the good key is not set")
	}
	if bad := got["sysctl/vm.no_such_key"]; bad.OK() || bad.Reason != item.Reason(v1alpha1.ReasonKeyNotFound) {
		t.Errorf("the bad key is %+v", bad)
	}
	if skipped := got["sysctl/kernel.no_such_key"]; skipped.Outcome != item.Skipped {
		t.Errorf("the key that may be missing is %s", skipped.Outcome)
	}
}

func TestAReadOnlyEtcStillGivesLiveValues(t *testing.T) {
	h := fake.New()
	h.MountReadOnly("/etc", true)
	r := up(t, h, "sysctls: [{name: vm.swappiness, value: 10}]")
	if value(h, "vm/swappiness") != "10" {
		t.Error("the live value is not set")
	}
	found := false
	for _, res := range r.Results() {
		found = found || res.Reason == item.Reason(v1alpha1.ReasonReadOnlyEtc)
	}
	if !found {
		t.Errorf("the read-only /etc is not told: %+v", r.Results())
	}
}

func TestASwapAreaThatNothingNamesStaysOut(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/dev/sdb1", Size: 1 << 30, Priority: -2})
	up(t, h, "swap: Disabled")
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	text, _ := h.Machine().Proc.ReadProc(paths.Swaps)
	if strings.Contains(string(text), "/dev/sdb1") {
		t.Error("an area that neither fstab nor a unit names was taken into use")
	}
	if _, there := h.File(paths.RunLedger); there {
		t.Error("its record is left")
	}
}

func TestAFolderThatOthersFilledStays(t *testing.T) {
	h := fake.New()
	h.Delete("/etc/sysctl.d")
	up(t, h, "sysctls: [{name: vm.swappiness, value: 10}]")
	h.PutFile("/etc/sysctl.d/admin.conf", "vm.max_map_count = 262144\n")
	r, err := open(t, h).Down(t.Context(), hostops.DownOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, there := h.File("/etc/sysctl.d/admin.conf"); !there {
		t.Error("somebody else's file is gone")
	}
	left := false
	for _, res := range r.Results() {
		left = left || res.Key == "dir/etc/sysctl.d" && res.Outcome == item.Left
	}
	if _, there := h.File(paths.Ledger); there || !left {
		t.Errorf("the folder is not told as left, or still recorded: %+v", r.Results())
	}
}

// Its stage is given back although that of the file in it could not be.
func TestAFolderThatHoldsWhatIsStillOursStaysOurs(t *testing.T) {
	h := wired()
	before := h.String()
	up(t, h, "nodeIP: {}")
	h.FailChange(paths.NodeEnv, syscall.EIO)
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	h.EndFaults()
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if now := h.String(); now != before {
		t.Errorf("it was\n%s\nit is\n%s", before, now)
	}
}

func TestAModuleThatIsNotThereIsNotListed(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/modprobe.d/cis.conf", "install nf_conntrack /bin/false\n")
	h.PutFile("/lib/modules/"+value(h, "kernel/osrelease")+"/modules.dep", "kernel/fs/overlayfs/overlay.ko.xz:\n")
	r := up(t, h, "kernelModules: [{name: no_such_module, ifMissing: Skip}, {name: nf_conntrack}, {name: overlay}]")
	text, _ := h.File(paths.ModulesLoad)
	if strings.Contains(text, "no_such_module") || strings.Contains(text, "nf_conntrack") || !strings.Contains(text, "overlay") {
		t.Errorf("the next boot would load:\n%s", text)
	}
	for _, res := range r.Results() {
		switch {
		case res.Key == "kmod/no_such_module" && res.Outcome != item.Skipped,
			res.Key == "kmod/nf_conntrack" && (res.Outcome != item.Failed || res.Reason != item.Reason(v1alpha1.ReasonModuleBlacklisted)):
			t.Errorf("%s is %s, %s", res.Key, res.Outcome, res.Reason)
		}
	}
}

func TestALinkInThePlaceOfOurFileIsNoLostLedger(t *testing.T) {
	h := fake.New()
	h.PutLink(paths.SysctlDropIn, "/etc/sysctl.conf")
	r := up(t, h, "sysctls: [{name: vm.swappiness, value: 10}]")
	told := false
	for _, res := range r.Results() {
		told = told || res.Reason == item.Reason(v1alpha1.ReasonUnexpectedFile) && strings.Contains(res.Message, paths.SysctlDropIn)
	}
	if !told {
		t.Errorf("the link is not named: %+v", r.Results())
	}
}
