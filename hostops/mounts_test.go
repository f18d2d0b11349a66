package hostops_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/mount"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const mounts = "mounts: {bpffs: Mounted, rootPropagation: Shared}"

// openRC is a host whose init mounts nothing on /sys/fs/bpf and shares nothing.
func openRC(more ...fake.Mount) *fake.Host {
	h := fake.New()
	h.SetMounts(append([]fake.Mount{
		{Path: "/", Filesystem: "ext4", Entries: true}, {Path: "/sys", Filesystem: "sysfs", Entries: true},
	}, more...)...)
	return h
}

// mustBeMounted holds a host against one shared BPF file system and a shared root.
func mustBeMounted(t *testing.T, h *fake.Host) {
	t.Helper()
	list := h.Mounts()
	if len(list) != 3 || list[2] != (fake.Mount{Path: paths.BPF, Filesystem: "bpf", Shared: true}) || !list[0].Shared {
		t.Errorf("the mounts are %+v", list)
	}
}

func resultOf(t *testing.T, r item.Report, k item.Key) item.Result {
	t.Helper()
	for _, res := range r.Results() {
		if res.Key == k {
			return res
		}
	}
	t.Fatalf("%s is not reported", k)
	return item.Result{}
}

func TestAHostOfAnotherInitGetsItsMountsInEveryBoot(t *testing.T) {
	h := openRC()
	for range 2 {
		up(t, h, mounts)
		mustBeMounted(t, h)
		before := h.Mutations()
		up(t, h, mounts)
		if n := h.Mutations() - before; n > 0 {
			t.Errorf("the second run changes %d things", n)
		}
		h.Reboot()
		if len(h.Mounts()) != 2 {
			t.Fatalf("after the boot: %+v", h.Mounts())
		}
	}
}

func TestAHostOfSystemdIsLeftAsItIs(t *testing.T) {
	h := fake.New()
	up(t, h, "swap: Keep")
	before := h.Mounts()
	r := up(t, h, mounts)
	for _, k := range []item.Key{mount.BPFFS, mount.RootPropagation} {
		if res := resultOf(t, r, k); res.Outcome != item.Right {
			t.Errorf("%s is %s", k, res.Outcome)
		}
	}
	if text, _ := h.File(paths.RunLedger); len(h.Mounts()) != len(before) || text != "" {
		t.Errorf("mounts %+v, recorded %s", h.Mounts(), text)
	}
}

func TestAMountThatWentIsMadeAgain(t *testing.T) {
	h := openRC()
	up(t, h, mounts)
	h.Unmount(paths.BPF)
	if res := resultOf(t, up(t, h, mounts), mount.BPFFS); !res.Drift || res.Outcome != item.Changed {
		t.Errorf("it is %s, drift %v", res.Outcome, res.Drift)
	}
	mustBeMounted(t, h)
}

// A hundred runs and what a node does in between never make a second mount.
func TestAHundredRunsMakeOneMount(t *testing.T) {
	h := openRC()
	for range 100 {
		up(t, h, mounts)
	}
	mustBeMounted(t, h)
}

func TestDownLeavesTheMountsToTheNextBoot(t *testing.T) {
	h := openRC()
	up(t, h, mounts)
	r := down(t, h)
	for _, k := range []item.Key{mount.BPFFS, mount.RootPropagation} {
		if res := resultOf(t, r, k); !res.OK() || res.Now != res.Have {
			t.Errorf("%s is %s: %s", k, res.Outcome, res.Message)
		}
	}
	mustBeMounted(t, h)
	if text, left := h.File(paths.RunLedger); left {
		t.Errorf("the record stays: %s", text)
	}
}

// What others have pinned must not be hidden.
func TestAnotherFileSystemIsToldAndLeft(t *testing.T) {
	h := openRC(fake.Mount{Path: paths.BPF, Filesystem: "tmpfs"})
	r := up(t, h, mounts)
	res := resultOf(t, r, mount.BPFFS)
	if res.OK() || res.Required || res.Reason != mount.UnexpectedFilesystem {
		t.Errorf("it is %s, required %v, because of %s", res.Outcome, res.Required, res.Reason)
	}
	if list := h.Mounts(); len(list) != 3 || list[2].Filesystem != "tmpfs" || !list[0].Shared {
		t.Errorf("the mounts are %+v", list)
	}
}

func TestMountsThatAreKeptAreNotTouched(t *testing.T) {
	h := openRC()
	before := h.Mutations()
	profiles := append(site(t, "priority: 1, mounts: {bpffs: Keep, rootPropagation: Keep}"), site(t, mounts)...)
	profiles[1].Name = "below"
	if _, err := open(t, h).Plan(t.Context(), profiles); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, h).Up(t.Context(), profiles, hostops.UpOptions{}); err != nil {
		t.Fatal(err)
	}
	if len(h.Mounts()) != 2 || h.Mounts()[0].Shared {
		t.Errorf("the mounts are %+v after %d changes", h.Mounts(), h.Mutations()-before)
	}
}
