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
	reopen := func() *Ledger {
		led, err := Open(h.Machine().Files, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return led
	}
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
