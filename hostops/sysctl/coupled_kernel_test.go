package sysctl_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// gauge is one readable key of the real kernel, kept open.
type gauge struct {
	path  string
	key   item.Key
	name  sysctl.Name
	file  *os.File
	value string
}

// gauges opens every key below a directory of /proc/sys that its user can read.
func gauges(t *testing.T, below string, skip ...string) []*gauge {
	t.Helper()
	var list []*gauge
	err := filepath.WalkDir(filepath.Join("/proc/sys", below), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains(skip, filepath.Base(p)) {
			return err
		}
		f, err := os.Open(p)
		if errors.Is(err, fs.ErrPermission) {
			return nil // a key that is only written
		}
		if err != nil {
			return err
		}
		path := strings.TrimPrefix(p, "/proc/sys/")
		name, err := sysctl.FromPath(path)
		if err != nil {
			return err
		}
		list = append(list, &gauge{path: path, key: sysctl.Key(name), name: name, file: f})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	read(list)
	return list
}

// read reads all gauges and returns what each had before.
func read(list []*gauge) map[*gauge]string {
	var buf [8192]byte
	before := make(map[*gauge]string, len(list))
	for _, g := range list {
		before[g] = g.value
		n, err := syscall.Pread(int(g.file.Fd()), buf[:], 0)
		if err == nil {
			g.value = strings.TrimSuffix(string(buf[:n]), "\n")
		}
	}
	return before
}

// other returns a value that the key may take and does not have. Times in milliseconds
// are kept in ticks: only whole seconds come back as they went in.
func other(path, value string) (string, bool) {
	fields := strings.Fields(value)
	if len(fields) == 0 {
		return "", false
	}
	last := &fields[len(fields)-1]
	n, err := strconv.Atoi(*last)
	switch {
	case err != nil:
		return "", false
	case strings.HasSuffix(path, "_ms"):
		n += 1000
	case len(fields) == 1 && n == 1:
		n = 0
	default:
		n++
	}
	*last = strconv.Itoa(n)
	return strings.Join(fields, " "), true
}

// older reports whether a key counts in a coarser unit than its item.
func older(g *gauge) bool { return g.key != item.NewKey(item.Sysctl, string(g.name)) }

// unitless are two names of one variable in units that cannot be converted.
func unitless(a, b *gauge) bool {
	const packets = "unres_qlen"
	name := func(g *gauge) string {
		return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(g.path), "_ms"), "_bytes")
	}
	return name(a) == name(b) && filepath.Base(a.path) != filepath.Base(b.path) &&
		(name(a) == packets || strings.HasPrefix(a.path, "net/ipv6/neigh"))
}

// TestNothingBelowNetChangesUnforeseen writes every number below net of a real kernel,
// and back, and holds what changed besides against what Effects said before.
func TestNothingBelowNetChangesUnforeseen(t *testing.T) {
	if testing.Short() || !inSandbox(t) {
		return
	}
	run(t, "ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1")
	run(t, "ip", "addr", "add", "192.0.2.1/24", "dev", "v1")
	run(t, "ip", "link", "set", "v0", "up")
	// mtu is a link's own, the counters count, and what v0 has on its own comes last:
	// a key that was set does not follow default any more.
	all := gauges(t, "net", "mtu", "nf_conntrack_count", "stable_secret")
	slices.SortStableFunc(all, func(a, b *gauge) int { return ownLast(a) - ownLast(b) })
	op := sysctl.New(realMachine(), "boot")
	written := 0
	for _, g := range all {
		first := g.value
		second, ok := other(g.path, first)
		if !ok || strings.Contains(g.path, "/lo/") || strings.Contains(g.path, "/v1/") {
			continue
		}
		if checkWrite(t, op, all, g, second) && checkWrite(t, op, all, g, first) {
			written++
		}
	}
	t.Logf("%d keys written, %d watched", written, len(all))
	if written < 100 {
		t.Errorf("only %d keys could be written", written)
	}
}

func ownLast(g *gauge) int { return strings.Count(g.path, "/v0/") }

// checkWrite writes one key and compares what changed with what was foreseen. It
// returns false if the kernel did not take the value.
func checkWrite(t *testing.T, op *sysctl.Operation, all []*gauge, g *gauge, to string) bool {
	t.Helper()
	want := sysctl.Value(g.name, to)
	effects, err := op.Effects(t.Context(), g.key, sysctl.Value(g.name, g.value), want)
	if err != nil {
		t.Fatal(err)
	}
	from := g.value
	if err := realMachine().Proc.WriteSysctl(g.path, to); err != nil {
		return false
	}
	before := read(all)
	taken := g.value != from
	for _, o := range all {
		if o.key == g.key || older(o) || unitless(o, g) {
			continue
		}
		i := slices.IndexFunc(effects, func(e item.Effect) bool { return e.Key == o.key })
		was, is := sysctl.Value(o.name, before[o]), sysctl.Value(o.name, o.value)
		wrong := ""
		switch {
		case i >= 0:
			fresh := strings.Contains(o.path, "/v0/") && ownLast(g) == 0
			wrong = broken(effects[i], was, is, taken, fresh)
		case was != is:
			wrong = "no rule says so"
		}
		if wrong != "" {
			t.Errorf("%s %s -> %s: %s %s -> %s: %s", g.path, from, to, o.path, was, is, wrong)
		}
	}
	return taken
}

// broken says how what happened to a key differs from what was foreseen. taken: the
// write changed its own key; fresh: this key was never set, so that it must follow.
func broken(e item.Effect, was, is item.State, taken, fresh bool) string {
	changed := was != is
	switch {
	case changed && is != e.To, changed && !e.Forced && was != e.Follows:
		return fmt.Sprintf("a rule says to %s if it was %s", e.To, e.Follows)
	case taken && e.Forced && is != e.To:
		return fmt.Sprintf("a rule says it must be %s", e.To)
	case taken && !changed && fresh && was == e.Follows && was != e.To:
		return "it was never set, and did not follow"
	}
	return ""
}
