package hostops_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const imaged = `sysctls: [{name: vm.swappiness, value: 10}, {name: vm.max_map_count, value: 1048576, compare: AtLeast},
  {name: net.ipv6.conf.all.forwarding, value: 1}, {name: "net.ipv4.conf.lxc*.rp_filter", value: 0}], swap: Disabled, kernelModules: [{name: br_netfilter}],
  directories: [{path: /opt/cni/bin}], nodeIP: {publish: EnvironmentFile}, firewalld: {trustedInterfaces: [cilium_host]}`

// imageHost is a host with all that an image must not learn of it.
func imageHost() *fake.Host {
	h := fake.New(fake.HasSystemd(), fake.HasFirewalld("nftables"))
	h.SetFirewalld(machine.FirewallStopped)
	h.SetSelf("/home/ann/bootstrap", "program 1")
	h.PutFile("/usr/lib/systemd/systemd", "")
	h.PutFile(paths.MachineID, machineOne)
	h.AddIP("eth0", "192.0.2.10/24")
	h.AddSwap(fake.Swap{Path: "/dev/sdz9", Size: 1 << 30})
	h.AddLink("lxc1")
	return h
}

const machineOne, machineTwo = "11111111111111111111111111111111\n", "22222222222222222222222222222222\n"

// ways are the two in which an image is prepared.
var ways = map[string]hostops.Options{"tree": {Root: "/mnt", Tree: true}, "build host": {Root: "/", Image: true}}

func openImage(t *testing.T, h *fake.Host, o hostops.Options) *hostops.Host {
	t.Helper()
	o.Machine, o.Version, o.Holder = h.Machine(), "test", "test"
	host, err := hostops.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return host
}

func prepare(t *testing.T, h *fake.Host, o hostops.Options) item.Report {
	t.Helper()
	r, err := openImage(t, h, o).Up(t.Context(), site(t, imaged), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &r)
	return r
}

// clone boots a copy as another machine.
func clone(h *fake.Host) *fake.Host {
	c := h.Clone()
	c.PutFile(paths.MachineID, machineTwo)
	c.Reboot()
	c.RemoveIP("eth0", "192.0.2.10")
	c.AddIP("eth0", "192.0.2.20/24")
	return c
}

// firstBoot is what the unit does.
func firstBoot(t *testing.T, h *fake.Host) item.Report {
	t.Helper()
	rec, err := open(t, h).Reapply(t.Context(), hostops.ReconcileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &rec.Report)
	return rec.Report
}

// parted are the lines about what is live, and those about files that outlive a boot.
func parted(h *fake.Host) (live, kept string) {
	for line := range strings.Lines(h.String()) {
		_, path, file := strings.Cut(line, " /")
		switch {
		case strings.HasPrefix(line, "swap "), !file:
			live += line
		case !strings.HasPrefix(path, "run/"):
			kept += line
		case !strings.HasPrefix(path, "run/hostprofile"):
			live += line
		}
	}
	return live, kept
}

func kept(h *fake.Host) string {
	_, files := parted(h)
	return files
}

func TestAnImageIsPreparedByFilesAlone(t *testing.T) {
	for name, o := range ways {
		h := imageHost()
		live, _ := parted(h)
		prepare(t, h, o)
		if got, _ := parted(h); got != live {
			t.Errorf("%s: live was\n%s\nand is\n%s", name, live, got)
		}
		if text := content(h, paths.SysctlDropIn); !strings.Contains(text, "vm.swappiness = 10\n") || !strings.Contains(text, "-net.ipv4.conf.lxc*.rp_filter = 0\n") || strings.Contains(text, "lxc1") || strings.Contains(text, "forwarding") {
			t.Errorf("%s: %s holds\n%s", name, paths.SysctlDropIn, text)
		}
		if text := content(h, paths.ModulesLoad); !strings.Contains(text, "br_netfilter\n") {
			t.Errorf("%s: %s holds\n%s", name, paths.ModulesLoad, text)
		}
		if zone := zoneOf(t, h, filed("cilium_host")); zone != "trusted" {
			t.Errorf("%s: cilium_host is in %q", name, zone)
		}
		if content(h, installed) != "program 1" || content(h, kubeletGate) == "" || !strings.Contains(h.String(), "link "+paths.UnitLink+" -> "+paths.UnitFile) {
			t.Errorf("%s: the unit is not installed:\n%s", name, h)
		}
		for _, path := range []string{paths.Ledger, paths.Input} {
			text := content(h, path)
			for _, secret := range []string{strings.TrimSpace(machineOne), "192.0.2.10", h.BootID(), "lxc1"} {
				if text == "" || strings.Contains(text, secret) {
					t.Errorf("%s: %s has %s:\n%s", name, path, secret, text)
				}
			}
		}
	}
}

func TestASecondPreparationWritesNothing(t *testing.T) {
	for name, o := range ways {
		h := imageHost()
		prepare(t, h, o)
		before := h.String()
		r := prepare(t, h, o)
		if slices.ContainsFunc(r.Results(), func(res item.Result) bool { return res.Outcome != item.Right }) || h.String() != before {
			t.Errorf("%s: the second run changes something:\n%s\nbefore:\n%s", name, h, before)
		}
		if o.Tree {
			mutations := h.Mutations()
			prepare(t, h, o)
			if n := h.Mutations() - mutations; n > 0 {
				t.Errorf("%s: the third run writes %d times", name, n)
			}
		}
	}
}

func TestAnImageThatIsGivenBackIsAsItWas(t *testing.T) {
	h := imageHost()
	o := ways["tree"]
	before := h.String()
	prepare(t, h, o)
	r, err := openImage(t, h, o).Down(t.Context(), hostops.DownOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &r)
	if got := h.String(); got != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, before)
	}
}

// TestTheBuildHostIsGivenBackAsAHost: what was prepared on it, a plain down takes away.
func TestTheBuildHostIsGivenBackAsAHost(t *testing.T) {
	h := imageHost()
	before := h.Clone()
	prepare(t, h, ways["build host"])
	down(t, h)
	live, files := parted(h)
	if wantLive, wantFiles := parted(before); live != wantLive || files != wantFiles {
		t.Errorf("after down:\n%s%s\nbefore up:\n%s%s", live, files, wantLive, wantFiles)
	}
}

// TestTheFirstBootOwnsTheImage: the clone converges, chooses its own address, and what it
// gives back is all of ours.
func TestTheFirstBootOwnsTheImage(t *testing.T) {
	for name, o := range ways {
		h := imageHost()
		before := clone(h)
		prepare(t, h, o)
		c := clone(h)
		firstBoot(t, c)
		mutations := c.Mutations()
		firstBoot(t, c)
		if n := c.Mutations() - mutations; n > 0 {
			t.Errorf("%s: the second run writes %d times", name, n)
		}
		st, err := open(t, c).Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		reached(t, &st.Report)
		if st.NodeIP == nil || st.NodeIP.IP != "192.0.2.20" || !slices.Contains(st.Owned, item.Key("sysctl/vm.swappiness")) {
			t.Errorf("%s: address %+v, owned %v", name, st.NodeIP, st.Owned)
		}
		if !strings.Contains(content(c, paths.Ledger), strings.TrimSpace(machineTwo)) || value(c, "vm/swappiness") != "10" || value(c, "vm/max_map_count") != "1048576" || value(c, "net/ipv6/conf/all/forwarding") != "1" {
			t.Errorf("%s: the host is\n%s", name, c)
		}
		if _, err := open(t, c).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
			t.Fatal(err)
		}
		if value(c, "vm/swappiness") != "10" {
			t.Errorf("%s: a value was given back that nobody has seen", name)
		}
		c.Reboot()
		before.Reboot()
		if got, want := settled(c), settled(before); got != want {
			t.Errorf("%s: after down and a boot:\n%s\nwant:\n%s", name, got, want)
		}
	}
}

func TestWhatOneHostRecordedIsNoImage(t *testing.T) {
	for name, o := range ways {
		h := imageHost()
		up(t, h, swappiness)
		before := h.String()
		_, err := openImage(t, h, o).Up(t.Context(), site(t, imaged), hostops.UpOptions{})
		refused := (*hostops.RefusedError)(nil)
		if _, planErr := openImage(t, h, o).Plan(t.Context(), site(t, imaged)); !errors.As(planErr, &refused) {
			t.Errorf("%s: the plan: %v", name, planErr)
		}
		if !errors.As(err, &refused) || !strings.Contains(refused.Fix, "bootstrap down") || h.String() != before {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestTheTreeOfAHostIsGivenBack: the disk of a host that does not run any more.
func TestTheTreeOfAHostIsGivenBack(t *testing.T) {
	h := imageHost()
	before := kept(h)
	up(t, h, imaged)
	r, err := openImage(t, h, ways["tree"]).Down(t.Context(), hostops.DownOptions{})
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &r)
	if after := kept(h); after != before {
		t.Errorf("after down:\n%s\nbefore up:\n%s", after, before)
	}
}

// TestACrashInAnImageIsMended: whatever step it dies at, the next run ends as if nothing had
// happened, and so does down.
func TestACrashInAnImageIsMended(t *testing.T) {
	h := imageHost()
	o := ways["tree"]
	want := h.Clone()
	prepare(t, want, o)
	o.Machine = nil
	run := func(host *hostops.Host) error {
		_, err := host.Up(t.Context(), site(t, imaged), hostops.UpOptions{})
		return err
	}
	crashesWith(t, h, o, run, func(c *fake.Host, at int) {
		prepare(t, c, o)
		if got := kept(c); got != kept(want) {
			t.Fatalf("step %d:\n%s\nwant:\n%s", at, got, kept(want))
		}
		if _, err := openImage(t, c, o).Down(t.Context(), hostops.DownOptions{}); err != nil || kept(c) != kept(h) {
			t.Fatalf("step %d, down: %v\n%s\nwant:\n%s", at, err, kept(c), kept(h))
		}
	})
}

func TestACrashOfDownInAnImageIsMended(t *testing.T) {
	o := ways["tree"]
	prepared := imageHost()
	before := kept(prepared)
	prepare(t, prepared, o)
	run := func(host *hostops.Host) error {
		_, err := host.Down(t.Context(), hostops.DownOptions{})
		return err
	}
	crashesWith(t, prepared, o, run, func(c *fake.Host, at int) {
		if err := run(openImage(t, c, o)); err != nil || kept(c) != before {
			t.Fatalf("step %d: %v\n%s\nwant:\n%s", at, err, kept(c), before)
		}
	})
}
