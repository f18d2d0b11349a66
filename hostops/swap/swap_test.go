package swap_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/swap"
)

const mib = 1 << 20

func operation(h *fake.Host) *swap.Operation { return swap.New(h.Machine(), "boot") }

func observe(t *testing.T, h *fake.Host, device string) item.State {
	t.Helper()
	s, err := operation(h).Observe(t.Context(), swap.Key(device))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func off(t *testing.T, h *fake.Host, device string) error {
	t.Helper()
	return operation(h).Apply(t.Context(), swap.Key(device), observe(t, h, device), item.Absent)
}

func reasonOf(err error) item.Reason {
	if e := (*item.Error)(nil); errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

func TestStateOfAnArea(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 100 * mib, Priority: -2})
	h.AddSwap(fake.Swap{Path: "/swap file", Size: 100 * mib, Priority: 10, File: true})
	for device, want := range map[string]item.State{
		"/dev/sda2":  item.Text("prio=auto type=partition"),
		"/swap file": item.Text("prio=10 type=file"),
		"/dev/sdb2":  item.Absent,
	} {
		if s := observe(t, h, device); s != want {
			t.Errorf("%s: %s, want %s", device, s, want)
		}
	}
}

func TestDisabledMeansEveryAreaInUse(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/dev/zram0", Size: mib, Priority: 100})
	h.AddSwap(fake.Swap{Path: "/swap.img", Size: mib, File: true})
	none := item.Want{Key: swap.All, State: item.Absent, Required: true}
	single, patterns, err := operation(h).Expand(t.Context(), []item.Want{none})
	if err != nil || len(patterns) != 1 {
		t.Fatal(patterns, err)
	}
	var keys []item.Key
	for _, w := range single {
		keys = append(keys, w.Key)
		if w.State != item.Absent || !w.Volatile || !w.Required {
			t.Errorf("wish %+v", w)
		}
	}
	if want := []item.Key{"swap/dev/zram0", "swap/swap.img"}; !slices.Equal(keys, want) {
		t.Errorf("keys %q", keys)
	}
}

func TestNoWishMeansSwapIsKept(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/swap.img", Size: mib, File: true})
	if single, patterns, err := operation(h).Expand(t.Context(), nil); len(single)+len(patterns) != 0 || err != nil {
		t.Errorf("%v, %v, %v", single, patterns, err)
	}
}

// TestAreaOutOfUseStaysWished: what we took out of use is not in /proc/swaps any more,
// and must not be given back for that.
func TestAreaOutOfUseStaysWished(t *testing.T) {
	var c item.Coverer = operation(fake.New())
	if !c.Covers(swap.All, swap.Key("/dev/sda2")) || c.Covers(swap.Key("/dev/sda2"), swap.Key("/dev/sda2")) || c.Covers(swap.All, "sysctl/vm.swappiness") {
		t.Error("wrong keys are covered")
	}
}

func TestOffAndOnAgain(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw,pri=5 0 0\n")
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 100 * mib, Used: 10 * mib, Priority: 5})
	before := observe(t, h, "/dev/sda2")
	if err := off(t, h, "/dev/sda2"); err != nil {
		t.Fatal(err)
	}
	if s := observe(t, h, "/dev/sda2"); s != item.Absent {
		t.Fatalf("still %s", s)
	}
	if err := off(t, h, "/dev/sda2"); err != nil {
		t.Errorf("twice: %v", err)
	}
	if err := operation(h).Apply(t.Context(), swap.Key("/dev/sda2"), item.Absent, before); err != nil {
		t.Fatal(err)
	}
	if s := observe(t, h, "/dev/sda2"); s != before {
		t.Errorf("given back as %s, was %s", s, before)
	}
}

func TestAreaThatNothingNamesAnyMoreStaysOff(t *testing.T) {
	for name, fstab := range map[string]string{
		"no line": "", "commented": "#/dev/sda2 none swap sw 0 0\n", "noauto": "/dev/sda2 none swap noauto 0 0\n",
		"another device": "/dev/sda3 none swap sw 0 0\n",
	} {
		h := fake.New()
		h.PutFile("/etc/fstab", fstab)
		err := operation(h).Apply(t.Context(), swap.Key("/dev/sda2"), item.Absent, item.Text("prio=auto type=partition"))
		if reasonOf(err) != swap.SourceUnknown || !strings.HasPrefix(err.Error(), "left: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOffNeedsMemoryForWhatIsSwappedOut(t *testing.T) {
	for _, c := range []struct {
		used, available uint64
		refused         bool
	}{
		{100 * mib, 109 * mib, true},
		{100 * mib, 110 * mib, true},
		{100 * mib, 111 * mib, false},
		{0, 0, false},
	} {
		h := fake.New()
		h.SetMemory(4096*mib, c.available)
		h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1000 * mib, Used: c.used})
		err := off(t, h, "/dev/sda2")
		if (reasonOf(err) == swap.NotEnoughMemory) != c.refused || !c.refused && err != nil {
			t.Errorf("%d used, %d available: %v", c.used/mib, c.available/mib, err)
		}
		if c.refused && (observe(t, h, "/dev/sda2") == item.Absent || !strings.Contains(err.Error(), "110 MiB")) {
			t.Errorf("refused, and yet off, or no figures: %v", err)
		}
	}
}

func TestKernelsRefusalNamesDeviceSizeAndUse(t *testing.T) {
	h := fake.New()
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1000 * mib, Used: 10 * mib})
	h.FailKernel("/dev/sda2", machine.ErrNoMemory)
	err := off(t, h, "/dev/sda2")
	if reasonOf(err) != swap.NotEnoughMemory {
		t.Errorf("reason %s", reasonOf(err))
	}
	for _, word := range []string{"/dev/sda2", "1000 MiB", "10 MiB"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("%q is not in %v", word, err)
		}
	}
	h.FailKernel("/dev/sda2", fs.ErrPermission)
	if err := off(t, h, "/dev/sda2"); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "/dev/sda2") {
		t.Errorf("%v", err)
	}
}

func TestDeletedFileIsNamedAsSuch(t *testing.T) {
	h := fake.New()
	h.SetProc("/proc/swaps", "Filename Type Size Used Priority\n/swap.img\\040(deleted) file 1024 0 -2\n")
	if s := observe(t, h, "/swap.img"); !s.Present() {
		t.Fatalf("state %s", s)
	}
	h.FailKernel("/swap.img", fs.ErrNotExist)
	if err := off(t, h, "/swap.img"); err == nil || !strings.Contains(err.Error(), "deleted") {
		t.Errorf("%v", err)
	}
}

func TestKernelWithoutSwapHasNone(t *testing.T) {
	h := fake.New()
	h.FailRead("/proc/swaps", fs.ErrNotExist)
	if s := observe(t, h, "/dev/sda2"); s != item.Absent {
		t.Errorf("%s", s)
	}
}

func TestUnreadableTableIsUnknown(t *testing.T) {
	h := fake.New()
	h.SetProc("/proc/swaps", "Filename\nrubbish\n")
	op := operation(h)
	if s, err := op.Observe(t.Context(), swap.Key("/dev/sda2")); s != item.Unknown || err == nil {
		t.Errorf("%s, %v", s, err)
	}
	if _, _, err := op.Expand(t.Context(), []item.Want{{Key: swap.All}}); err == nil {
		t.Error("an unreadable table was taken for an empty one")
	}
}

func TestStateOfSomethingElseIsNotApplied(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw 0 0\n")
	for _, s := range []item.State{item.Unknown, item.Text("x"), item.Text("prio=x type=file"), item.Text("10")} {
		if err := operation(h).Apply(t.Context(), swap.Key("/dev/sda2"), item.Absent, s); err == nil {
			t.Errorf("%s was applied", s)
		}
	}
}

func TestSwapEndsWithTheBoot(t *testing.T) {
	if tr := operation(fake.New()).Traits(swap.Key("/dev/sda2")); tr.Store != item.Volatile || tr.Epoch != "boot" || tr.Listed || !tr.Slow {
		t.Errorf("%+v", tr)
	}
}

// A path is bytes, and a record is text.
func TestTheKeyOfAnAreaIsTextWhateverItsPathIs(t *testing.T) {
	for _, path := range []string{"/dev/sda2", "/caf\xe9 1", `/caf\351`, "/café"} {
		h := fake.New()
		h.AddSwap(fake.Swap{Path: path, Size: 1 << 20, File: true})
		wants, _, err := operation(h).Expand(t.Context(), []item.Want{{Key: swap.All, State: item.Absent}})
		if err != nil || len(wants) != 1 || !utf8.ValidString(string(wants[0].Key)) {
			t.Fatalf("%q: %v, %v", path, wants, err)
		}
		if err := operation(h).Apply(t.Context(), wants[0].Key, item.Text("prio=auto type=file"), item.Absent); err != nil {
			t.Error(err)
		}
		if left, err := operation(h).Observe(t.Context(), wants[0].Key); err != nil || left != item.Absent {
			t.Errorf("%q is %s, %v", path, left, err)
		}
	}
}
