package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// world is one host with us on it, and its twin without us: all that happens to the
// one from outside happens to the other, so that the twin is what giving back must give.
type world struct {
	host, twin *fake.Host
	wishes     map[item.Key]item.Want
	report     item.Report
	drifts     int
	ledger     *ledger.Ledger // of the last run
	writes     int            // ledger writes of the last run
	mutations  int            // of the last run, ledger included
}

func newWorld(options ...fake.Option) *world {
	w := &world{host: fake.New(options...), twin: fake.New(options...), wishes: map[item.Key]item.Want{}}
	w.host.PutDir(paths.StateDir, 0o700)
	w.host.PutDir(paths.RunDir, 0o700)
	return w
}

func (w *world) clone() *world {
	c := *w
	c.host, c.twin = w.host.Clone(), w.twin.Clone()
	c.wishes = map[item.Key]item.Want{}
	for k, want := range w.wishes {
		c.wishes[k] = want
	}
	return &c
}

// both does to the twin what it does to the host.
func (w *world) both(do func(*fake.Host)) {
	do(w.host)
	do(w.twin)
}

func name(s string) sysctl.Name {
	n, err := sysctl.ParseName(s)
	if err != nil {
		panic(err)
	}
	return n
}

// wish wants a sysctl to have a value; an empty value takes the wish back.
func (w *world) wish(key, value string) { w.wishAs(key, value, item.Exact) }

func (w *world) wishAs(key, value string, c item.Compare) {
	n := name(key)
	k := sysctl.Key(n)
	delete(w.wishes, k)
	if value != "" {
		w.wishes[k] = item.Want{Key: k, State: sysctl.Value(n, value), Compare: c, Volatile: c != item.Exact, Required: true}
	}
}

func (w *world) module(name string, wanted bool) {
	k := kmod.Key(name)
	delete(w.wishes, k)
	if wanted {
		w.wishes[k] = item.Want{Key: k, State: kmod.Loaded}
	}
}

func stages(m *machine.Machine, boot string) []engine.Stage {
	files := file.New(m)
	only := func(b item.BootFile) func(item.Key) bool {
		return func(k item.Key) bool { return k.Kind() != item.File || k == b.Key() }
	}
	s := sysctl.NewBootFile(m)
	return []engine.Stage{
		{Name: "modules", Operations: []item.Operation{kmod.New(m, boot), files}, Owns: only(kmod.BootFile{}), Boot: kmod.BootFile{}},
		{Name: "sysctls", Operations: []item.Operation{sysctl.New(m, boot), files}, Owns: only(s), Boot: s},
	}
}

// run is one run of the engine on the host. An error other than a death is the test's.
func (w *world) run() error {
	w.drifts, w.writes, w.mutations = 0, 0, w.host.Mutations()
	defer func() { w.mutations = w.host.Mutations() - w.mutations }()
	m := w.host.Machine()
	led, err := ledger.Open(m.Files, ledger.Options{})
	if err != nil {
		return err
	}
	w.ledger = led
	e := &engine.Engine{Stages: stages(m, w.host.BootID()), Ledger: led}
	var want item.Desired
	for _, k := range sortedKeys(w.wishes) {
		want.Wants = append(want.Wants, w.wishes[k])
	}
	w.report, err = e.Run(context.Background(), want, engine.Options{Reverse: len(want.Wants) == 0})
	w.writes = led.Durable.Writes() + led.Volatile.Writes()
	for _, r := range w.report.Results() {
		if r.Drift {
			w.drifts++
		}
	}
	for _, s := range w.report.Stages {
		err = errors.Join(err, s.Err)
	}
	return err
}

// runKilled is a run of which the process dies at a tick; died is false if the run was
// over before.
func (w *world) runKilled(tick int) (died bool) {
	w.host.StopAt(tick)
	_ = w.run()
	died = w.host.Dead()
	w.host.StopAt(-1)
	w.host.Revive()
	return died
}

// runUntil kills a run right after its nth write to a path.
func (w *world) runUntil(path string, nth int) {
	tick := -1
	trial := w.clone()
	trial.host.KeepLog()
	_ = trial.run()
	for i, m := range trial.host.Log() {
		if m.Path == path {
			if nth--; nth == 0 {
				tick = 2*i + 1
			}
		}
	}
	if tick < 0 {
		panic(fmt.Sprintf("the run does not write %s so often:\n%v", path, trial.host.Log()))
	}
	if !w.runKilled(tick) {
		panic("the run did not die")
	}
}

func (w *world) reboot() {
	w.both((*fake.Host).Reboot)
	w.host.PutDir(paths.RunDir, 0o700)
}

// powerCut is a reboot without a shutdown. Nothing of the twin was ever written.
func (w *world) powerCut() {
	w.host.PowerCut()
	w.twin.Reboot()
	w.host.PutDir(paths.RunDir, 0o700)
}

func (w *world) foreign(key, value string) {
	w.both(func(h *fake.Host) { _ = h.SetSysctl(name(key).Path(), value) })
}

func (w *world) kernelDefault(key, value string) {
	w.both(func(h *fake.Host) { h.SetDefault(name(key).Path(), value) })
}

// admin makes a file of the admin's set a key; an empty value takes it away.
func (w *world) admin(base, key, value string) {
	path := "/etc/sysctl.d/" + base + "-" + strings.ReplaceAll(key, "/", "_") + ".conf"
	w.both(func(h *fake.Host) {
		if value == "" {
			h.Delete(path)
			return
		}
		h.PutFile(path, key+" = "+value+"\n")
	})
}

const (
	before = "10" // reads before our file
	after  = "zzz"
)

func (w *world) live(key string) string {
	v, _ := w.host.Sysctl(name(key).Path())
	return v
}

func (w *world) down() { clear(w.wishes) }

// must runs and fails the test if the run could not.
func (w *world) must(t *testing.T) {
	t.Helper()
	if err := w.run(); err != nil {
		t.Fatal(err)
	}
}

// differences lists the sysctls in which the host differs from its twin.
func (w *world) differences() []string {
	var out []string
	twin := w.twin.Sysctls()
	for path, v := range w.host.Sysctls() {
		if v != twin[path] && path != "kernel/random/boot_id" {
			out = append(out, fmt.Sprintf("%s is %q, without us %q", path, v, twin[path]))
		}
	}
	return out
}

// mustBeAsBefore takes all wishes back and wants the host to be its twin, with nothing
// of ours on it.
func (w *world) mustBeAsBefore(t *testing.T) {
	t.Helper()
	w.down()
	w.must(t)
	for _, d := range w.differences() {
		t.Error(d)
	}
	for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad} {
		if text, ok := w.host.File(path); ok {
			t.Errorf("%s is left behind:\n%s", path, text)
		}
	}
	if n := w.ledger.Durable.Len() + w.ledger.Volatile.Len(); n > 0 {
		t.Errorf("%d records are left: %v %v", n, w.ledger.Durable.Keys(), w.ledger.Volatile.Keys())
	}
}
