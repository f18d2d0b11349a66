package dir_test

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const path = "/etc/cni"

func observe(t *testing.T, h *fake.Host, path string) item.State {
	t.Helper()
	s, err := dir.New(h.Machine()).Observe(t.Context(), dir.Key(path))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func apply(t *testing.T, h *fake.Host, from, to item.State) error {
	t.Helper()
	return dir.New(h.Machine()).Apply(t.Context(), dir.Key(path), from, to)
}

func TestDirectoryIsMadeChangedAndRemoved(t *testing.T) {
	h := fake.New()
	from := item.Absent
	for _, to := range []item.State{dir.State(0o755), dir.State(0o700), item.Absent} {
		if s := observe(t, h, path); s != from {
			t.Fatalf("found %s, want %s", s, from)
		}
		if err := apply(t, h, from, to); err != nil {
			t.Fatal(err)
		}
		from = to
	}
	if s := observe(t, h, path); s != item.Absent {
		t.Errorf("left %s", s)
	}
	if err := apply(t, h, dir.State(0o755), item.Absent); err != nil {
		t.Errorf("removing what is gone: %v", err)
	}
}

func TestDirectoryWithSomethingInItStays(t *testing.T) {
	h := fake.New()
	h.PutFile(path+"/05-cilium.conflist", "{}")
	err := apply(t, h, observe(t, h, path), item.Absent)
	var e *item.Error
	if !errors.Is(err, machine.ErrNotEmpty) || !errors.As(err, &e) || e.Message != "left: /etc/cni is not empty: 05-cilium.conflist, not ours" {
		t.Errorf("error %v", err)
	}
	if _, ok := h.File(path + "/05-cilium.conflist"); !ok {
		t.Error("somebody's file is gone")
	}
}

func TestLinkToADirectoryIsThatDirectory(t *testing.T) {
	h := fake.New()
	h.PutDir("/data/kubelet", 0o750)
	h.PutLink("/srv/link", "../data/kubelet")
	h.PutLink(path, "/srv/link")
	if s := observe(t, h, path); s != dir.State(0o750) {
		t.Errorf("state %s", s)
	}
	parent := dir.Parent(path)
	if got := observe(t, h, path); !parent.Holds(got) {
		t.Errorf("an existing directory is not good enough: %s", got)
	}
}

func TestWhatIsNoDirectoryIsNamed(t *testing.T) {
	for name, place := range map[string]func(*fake.Host){
		"file":          func(h *fake.Host) { h.PutFile(path, "") },
		"dangling link": func(h *fake.Host) { h.PutLink(path, "/nowhere") },
		"loop":          func(h *fake.Host) { h.PutLink(path, path) },
	} {
		h := fake.New()
		place(h)
		s, err := dir.New(h.Machine()).Observe(t.Context(), dir.Key(path))
		if s != item.Unknown || err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %s, %v", name, s, err)
		}
	}
}

func TestModeAndOwnerAreChangedAndGivenBack(t *testing.T) {
	h := fake.New()
	h.PutDir(path, 0o755|fs.ModeSetgid)
	h.Chown(path, 1000, 1000)
	found, want := observe(t, h, path), item.Text("0700 0:10")
	if found.Text() != "2755 1000:1000" {
		t.Errorf("state %s", found)
	}
	for _, step := range [][2]item.State{{found, want}, {want, found}} {
		if err := apply(t, h, step[0], step[1]); err != nil {
			t.Fatal(err)
		}
		if s := observe(t, h, path); s != step[1] {
			t.Errorf("state %s, want %s", s, step[1])
		}
	}
	if parent := dir.Parent(path); !parent.Holds(found) {
		t.Error("a parent may be anybody's")
	}
}

// A directory is nobody's but root's before it has its owner.
func TestADirectoryIsMadeInSteps(t *testing.T) {
	h := fake.New()
	want := item.Text("0770 0:50")
	steps := dir.New(h.Machine()).Steps(item.Absent, want)
	if !slices.Equal(steps, []item.State{dir.State(0o700), item.Text("0700 0:50")}) {
		t.Errorf("steps %s", steps)
	}
	for n := 1; n < 3; n++ {
		h := fake.New()
		h.StopAt(2 * n)
		if err := apply(t, h, item.Absent, want); !errors.Is(err, fake.ErrDead) {
			t.Fatal(err)
		}
		h.Revive()
		if s := observe(t, h, path); s != steps[n-1] {
			t.Errorf("after %d steps: %s", n, s)
		}
	}
}

func TestFailuresHaveTheirReasons(t *testing.T) {
	for _, c := range []struct {
		fault  func(*fake.Host)
		reason item.Reason
	}{
		{func(h *fake.Host) { h.MountReadOnly("/etc", true) }, dir.ReadOnlyEtc},
		{func(h *fake.Host) { h.FillDisk(true) }, dir.DiskFull},
	} {
		h := fake.New()
		c.fault(h)
		err := apply(t, h, item.Absent, dir.State(0o755))
		if e := (*item.Error)(nil); !errors.As(err, &e) || e.Reason != c.reason {
			t.Errorf("error %v, want reason %s", err, c.reason)
		}
	}
}

func TestStateOfSomethingElseIsNotMade(t *testing.T) {
	h := fake.New()
	for _, s := range []item.State{item.Unknown, item.Text("x"), item.Text("0755 1000"), item.Text("0755"), item.Text("10000 0:0"), item.Text("0755 0:4294967296"), item.Text("- 0:0")} {
		if err := apply(t, h, item.Absent, s); err == nil {
			t.Errorf("%s was made", s)
		}
	}
}
