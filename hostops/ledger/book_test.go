package ledger

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The keys are sorted once and kept, and still go with what is recorded: after each
// update, and after one that failed.
func TestKeysGoWithTheEntries(t *testing.T) {
	host := fake.New()
	files := host.Machine().Files
	for _, dir := range []string{path.Dir(paths.StateDir), paths.StateDir} {
		if err := files.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			t.Fatal(err)
		}
	}
	l, err := Open(files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		set, drop []item.Key
		fails     bool
		want      []item.Key
	}{
		{set: []item.Key{"sysctl/b", "sysctl/a"}, want: []item.Key{"sysctl/a", "sysctl/b"}},
		{set: []item.Key{"sysctl/c"}, fails: true, want: []item.Key{"sysctl/a", "sysctl/b"}},
		{drop: []item.Key{"sysctl/a"}, fails: true, want: []item.Key{"sysctl/a", "sysctl/b"}},
		{set: []item.Key{"sysctl/c"}, drop: []item.Key{"sysctl/a"}, want: []item.Key{"sysctl/b", "sysctl/c"}},
		{drop: []item.Key{"sysctl/never"}, want: []item.Key{"sysctl/b", "sysctl/c"}},
	}
	for i, s := range steps {
		update := map[item.Key]*item.Entry{}
		for _, k := range s.set {
			update[k] = &item.Entry{Phase: item.Applied, Epoch: string(rune('a' + i))}
		}
		for _, k := range s.drop {
			update[k] = nil
		}
		host.EndFaults()
		if s.fails {
			host.FailChange(paths.Ledger, errors.New("no"))
		}
		if err := l.Durable.Update(update); (err != nil) != s.fails {
			t.Fatalf("step %d: %v", i, err)
		}
		if got := l.Keys(); !slices.Equal(got, s.want) || !slices.Equal(l.Durable.Keys(), s.want) {
			t.Errorf("step %d: %v, want %v", i, got, s.want)
		}
	}
	if keys := append(l.Durable.Keys(), "sysctl/z"); len(keys) != 3 || len(l.Durable.Keys()) != 2 {
		t.Errorf("%v, %v", keys, l.Durable.Keys())
	}
}

// The keys of both books are put together once, and still go with each of them.
func TestKeysGoWithBothBooks(t *testing.T) {
	host := fake.New()
	host.PutDir(paths.StateDir, 0o700)
	host.PutDir(paths.RunDir, 0o700)
	l, err := Open(host.Machine().Files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	entry := &item.Entry{Phase: item.Applied}
	for i, s := range []struct {
		store        item.Store
		update       map[item.Key]*item.Entry
		all, sysctls []item.Key
	}{
		{item.Volatile, map[item.Key]*item.Entry{"sysctl/c": entry}, []item.Key{"sysctl/c"}, []item.Key{"sysctl/c"}},
		{item.Durable, map[item.Key]*item.Entry{"file/a": entry, "swap/a": entry}, []item.Key{"file/a", "swap/a", "sysctl/c"}, []item.Key{"sysctl/c"}},
		{item.Durable, map[item.Key]*item.Entry{"sysctl/c": entry, "sysctl.d/a": entry}, []item.Key{"file/a", "swap/a", "sysctl.d/a", "sysctl/c"}, []item.Key{"sysctl/c"}},
		{item.Volatile, map[item.Key]*item.Entry{"sysctl/c": nil, "unit/b": entry}, []item.Key{"file/a", "swap/a", "sysctl.d/a", "sysctl/c", "unit/b"}, []item.Key{"sysctl/c"}},
		{item.Durable, map[item.Key]*item.Entry{"sysctl/c": nil, "sysctl.d/a": nil}, []item.Key{"file/a", "swap/a", "unit/b"}, nil},
	} {
		if err := l.Book(s.store).Update(s.update); err != nil {
			t.Fatal(err)
		}
		if all, sysctls := l.Keys(), l.KeysOf(item.Sysctl); !slices.Equal(all, s.all) || !slices.Equal(sysctls, s.sysctls) {
			t.Errorf("step %d: %v, of them sysctls %v; want %v and %v", i, all, sysctls, s.all, s.sysctls)
		}
	}
}

// Another run has written the book since this one did, and died before that was durable.
func TestABookThatIsReadAgainIsSettledAgain(t *testing.T) {
	h := fake.New()
	h.PutDir(paths.StateDir, 0o700)
	reopen := func() *Ledger { return opened(t, h.Machine().Files, Options{}) }
	update := func(led *Ledger, name string) error {
		return led.Durable.Update(map[item.Key]*item.Entry{item.NewKey(item.Module, name): {Phase: item.Pending}})
	}
	ours := reopen()
	if err := update(ours, "overlay"); err != nil {
		t.Fatal(err)
	}
	h.FailChange(paths.Ledger, machine.ErrNotDurable)
	_ = update(reopen(), "fuse")
	h.EndFaults()
	if err := ours.Reload(Options{}); err != nil {
		t.Fatal(err)
	}
	if err := ours.Durable.Settle(); err != nil {
		t.Fatal(err)
	}
	h.PowerCut()
	if n := reopen().Durable.Len(); n != 2 {
		t.Errorf("of 2 records %d are left after a power cut", n)
	}
}

// settles counts what is made durable, and cannot look at files if it is blind.
type settles struct {
	machine.Files
	blind bool
	n     int
}

func (s *settles) Settle(path string) error {
	s.n++
	return s.Files.Settle(path)
}

func (s *settles) Lstat(path string) (fs.FileInfo, error) {
	if s.blind {
		return nil, fs.ErrPermission
	}
	return s.Files.Lstat(path)
}

// A resident process sets something in every other run: an fsync of a book that is durable
// already would be one in each.
func TestABookIsSettledOnlyIfItMayNotBeDurable(t *testing.T) {
	for _, c := range []struct {
		name    string
		writers []error // how each ended
		blind   bool
		want    int
	}{
		{name: "there is none"},
		{name: "its writer came to its end", writers: []error{nil}},
		{name: "its writer died", writers: []error{machine.ErrNotDurable}, want: 1},
		{name: "its writer died after others", writers: []error{nil, machine.ErrNotDurable}, want: 1},
		{name: "it was written again after that", writers: []error{machine.ErrNotDurable, nil}},
		{name: "it cannot be looked at", writers: []error{nil}, blind: true, want: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.New()
			h.PutDir(paths.StateDir, 0o700)
			files := &settles{Files: h.Machine().Files}
			for i, end := range c.writers {
				h.FailChange(paths.Ledger, end)
				update := map[item.Key]*item.Entry{"module/overlay": {Phase: item.Pending, Epoch: string(rune('a' + i))}}
				if err := opened(t, files, Options{}).Durable.Update(update); !errors.Is(err, end) {
					t.Fatal(err)
				}
			}
			h.EndFaults()
			led := opened(t, files, Options{})
			files.blind = c.blind
			for range 2 { // what a run has settled once is durable
				if err := led.Durable.Settle(); err != nil {
					t.Fatal(err)
				}
			}
			if files.n != c.want {
				t.Errorf("settled %d times, want %d", files.n, c.want)
			}
		})
	}
}

func opened(t *testing.T, files machine.Files, o Options) *Ledger {
	t.Helper()
	led, err := Open(files, o)
	if err != nil {
		t.Fatal(err)
	}
	return led
}
