package offline_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/machine/offline"
)

const (
	name = "x.service"
	file = "/etc/systemd/system/x.service"
	link = "/etc/systemd/system/multi-user.target.wants/x.service"
	text = "[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n"
)

func tree() *fake.Host {
	h := fake.New()
	h.PutFile("/usr/lib/systemd/systemd", "")
	h.PutDir("/etc/systemd/system", 0o755)
	return h
}

func TestUnitsAreWhatTheirFilesSay(t *testing.T) {
	for about, c := range map[string]struct {
		put    func(*fake.Host)
		state  machine.UnitState
		enable error
	}{
		"absent":          {func(*fake.Host) {}, machine.UnitAbsent, fs.ErrNotExist},
		"disabled":        {func(h *fake.Host) { h.PutFile(file, text) }, machine.UnitDisabled, nil},
		"of the vendor":   {func(h *fake.Host) { h.PutFile("/usr/lib/systemd/system/x.service", text) }, machine.UnitDisabled, nil},
		"enabled":         {func(h *fake.Host) { h.PutFile(file, text); h.PutLink(link, file) }, machine.UnitEnabled, nil},
		"masked":          {func(h *fake.Host) { h.PutLink(file, "/dev/null") }, machine.UnitMasked, machine.ErrMasked},
		"empty":           {func(h *fake.Host) { h.PutFile(file, "") }, machine.UnitMasked, machine.ErrMasked},
		"of this run":     {func(h *fake.Host) { h.PutFile("/run/systemd/system/x.service", text) }, machine.UnitAbsent, fs.ErrNotExist},
		"without systemd": {func(h *fake.Host) { h.Delete("/usr/lib/systemd/systemd") }, machine.UnitAbsent, machine.ErrNoSystemd},
	} {
		h := tree()
		c.put(h)
		u := offline.Of(h.Machine()).Units
		if got, _ := u.Unit(t.Context(), name); got.State != c.state || got.Running {
			t.Errorf("%s: %+v", about, got)
		}
		if err := u.EnableUnit(t.Context(), name); !errors.Is(err, c.enable) {
			t.Errorf("%s: enable: %v", about, err)
		}
		got, err := u.Unit(t.Context(), name)
		if c.enable == nil && (err != nil || got.State != machine.UnitEnabled) {
			t.Errorf("%s: enabled it is %+v, %v", about, got, err)
		}
		if err := u.DisableUnit(t.Context(), name); err != nil && !errors.Is(c.enable, machine.ErrNoSystemd) {
			t.Errorf("%s: disable: %v", about, err)
		}
		if _, err := h.Machine().Files.Lstat(link); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the link is still there: %v", about, err)
		}
	}
}

// TestWhatDoesNotLastIsNotThere: a builder may have mounted that of its own host.
func TestWhatDoesNotLastIsNotThere(t *testing.T) {
	h := tree()
	for _, path := range []string{"/run/a", "/proc/a", "/sys/a", "/dev/a"} {
		h.PutFile(path, "the builder's")
	}
	before := h.String()
	f := offline.Of(h.Machine()).Files
	for _, dir := range []string{"/run", "/proc", "/sys", "/dev"} {
		path := dir + "/a"
		_, read := f.Read(path)
		_, look := f.Lstat(path)
		_, list := f.ReadDir(dir)
		_, follow := f.Readlink(path)
		_, sweep := f.Sweep(path)
		for _, err := range []error{read, look, list, follow, sweep, f.Remove(path), f.Unlink(path), f.Rmdir(dir), f.Settle(path), f.Chmod(dir, 0), f.Chown(dir, 1, 1)} {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", path, err)
			}
		}
		for _, err := range []error{f.Write(path, nil, 0), f.WriteVolatile(path, nil, 0), f.Mkdir(dir+"/b", 0), f.Link(dir+"/b", "a")} {
			if !errors.Is(err, machine.ErrReadOnly) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
	if h.String() != before {
		t.Errorf("the builder's host is\n%s", h)
	}
	if err := f.Write("/runner", []byte("x"), 0o644); err != nil {
		t.Error(err)
	}
}
