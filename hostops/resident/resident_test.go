package resident_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/resident"
)

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// world is one host with a resident, and what the resident says.
type world struct {
	t        *testing.T
	host     *fake.Host
	process  *fake.Process
	resident *resident.Resident
	now      time.Time
	again    time.Time // when the resident wants to look again
	told     []string  // to the init system
	console  []string
	log      bytes.Buffer
}

func newWorld(t *testing.T, options ...fake.Option) *world {
	t.Helper()
	return &world{t: t, host: fake.New(options...), now: start}
}

func (w *world) open(holder string) *hostops.Host {
	w.t.Helper()
	w.process = w.host.Start()
	h, err := hostops.Open(w.t.Context(), hostops.Options{Machine: w.process.Machine(), Version: "test", Holder: holder})
	if err != nil {
		w.t.Fatal(err)
	}
	return h
}

// profile is a profile with a spec in YAML's short form.
func profile(t *testing.T, name, spec string) v1alpha1.HostProfile {
	t.Helper()
	var p v1alpha1.HostProfile
	text := fmt.Sprintf("metadata: {name: %s}\nspec: {nodeSelector: {}, %s}\n", name, spec)
	if err := yaml.UnmarshalStrict([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// up is bootstrap up with one profile.
func (w *world) up(spec string) *world {
	w.t.Helper()
	if _, err := w.open("bootstrap up").Up(w.t.Context(), []v1alpha1.HostProfile{profile(w.t, "site", spec)}, hostops.UpOptions{}); err != nil {
		w.t.Fatal(err)
	}
	return w
}

// start begins a resident, in place of one that has ended.
func (w *world) start() *world {
	w.t.Helper()
	h := w.open("bootstrap run, pid 1")
	w.told = nil
	w.resident = resident.New(resident.Options{
		Host: h, Log: slog.New(slog.NewTextHandler(&w.log, nil)), Now: func() time.Time { return w.now },
		Notify:  func(s string) { w.told = append(w.told, s) },
		Console: func(s string) { w.console = append(w.console, s) },
	})
	return w
}

// boot is a reboot, and a resident that takes its first step.
func (w *world) boot() *world {
	w.t.Helper()
	w.host.Reboot()
	return w.start().step()
}

func (w *world) step(causes ...string) *world {
	w.t.Helper()
	ring := keep.Ring{Causes: map[string]bool{hostops.CausePoll: true}}
	for _, c := range causes {
		ring.Causes[c] = true
	}
	w.again = w.resident.Step(w.t.Context(), ring)
	return w
}

// is compares a live value.
func (w *world) is(path, want string) *world {
	w.t.Helper()
	if got, _ := w.host.Sysctl(path); got != want {
		w.t.Errorf("%s is %s, want %s", path, got, want)
	}
	return w
}

// ready compares what the init system and kubelet's gate were told with what is wanted,
// and the message of both with a part of it.
func (w *world) ready(want bool, part string) *world {
	w.t.Helper()
	var ready bool
	var status string // the last one
	for _, s := range w.told {
		ready = ready || s == "READY=1"
		if text, ok := strings.CutPrefix(s, "STATUS="); ok {
			status = text
		}
	}
	if ready != want || !strings.Contains(status, part) {
		w.t.Errorf("ready %v, want %v; status %q, want %q in it", ready, want, status, part)
	}
	gate := w.open("bootstrap gate").Gate()
	if gate.Open != want || want && gate.BootID != w.host.BootID() || !strings.Contains(gate.Message, part) {
		w.t.Errorf("gate %+v, want open %v and %q in it", gate, want, part)
	}
	return w
}

// writes returns how often the host is changed meanwhile.
func (w *world) writes(do func()) int {
	before := w.host.Mutations()
	do()
	return w.host.Mutations() - before
}

const (
	swappiness = "vm/swappiness"
	overcommit = "vm/overcommit_memory"
)

func sysctl(name, value string) string {
	return "sysctls: [{name: " + name + ", value: " + value + "}]"
}
