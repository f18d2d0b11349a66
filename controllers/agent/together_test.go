package agent_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/resident"
)

// party is one of those who write to a host at once. It watches itself: whoever writes has
// the run lock, and of the two that stay, the agent's lock too.
type party struct {
	t      *testing.T
	name   string
	stays  bool
	plain  *machine.Machine
	writes atomic.Int64
}

func (p *party) check(what string) {
	for _, lock := range []string{paths.RunLock, paths.AgentLock} {
		if lock == paths.AgentLock && !p.stays {
			continue
		}
		if holder, err := p.plain.Locks.Holder(lock); err != nil || holder != p.name {
			p.t.Errorf("%s writes %s while %s is held by %q, %v", p.name, what, lock, holder, err)
		}
	}
	p.writes.Add(1)
}

type watchedProc struct {
	machine.Proc
	p *party
}

func (w watchedProc) WriteSysctl(path, value string) error {
	w.p.check(path)
	return w.Proc.WriteSysctl(path, value)
}

type watchedFiles struct {
	machine.Files
	p *party
}

func (w watchedFiles) Write(path string, content []byte, mode fs.FileMode) error {
	w.p.check(path)
	return w.Files.Write(path, content, mode)
}

// join opens a host for a new party.
func join(t *testing.T, h *fake.Host, name string, stays bool) (*hostops.Host, *party) {
	t.Helper()
	p := &party{t: t, name: name, stays: stays, plain: h.Start().Machine()}
	m := *p.plain
	m.Proc, m.Files = watchedProc{m.Proc, p}, watchedFiles{m.Files, p}
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: &m, Version: "test", Holder: name, LockTimeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return host, p
}

// patiently does what another run may keep from being done.
func patiently(t *testing.T, do func() error) {
	t.Helper()
	for {
		err := do()
		if busy := (*machine.BusyError)(nil); errors.As(err, &busy) {
			continue
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
}

// repaired changes a setting, and waits for somebody to set it again.
func repaired(t *testing.T, h *fake.Host, drifted, want string) {
	t.Helper()
	_ = h.SetSysctl(swappiness, drifted)
	until(t, "somebody sets it to "+want+" again", func() bool {
		got, _ := h.Sysctl(swappiness)
		return got == want
	})
}

func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for over := time.After(time.Minute); !is(); {
		select {
		case <-look.C:
		case <-over:
			t.Fatalf("it does not come that %s", what)
		}
	}
}

func TestAgentUnitUpAndDownAtOnceDoNotInterleave(t *testing.T) {
	h := fake.New()
	log := slog.New(slog.DiscardHandler)
	resides, unit := join(t, h, "bootstrap run", true)
	var looks atomic.Int64 // each an hour after the last one, so that nobody seems to fight
	now := func() time.Time { return start.Add(time.Duration(looks.Add(1)) * time.Hour) }
	r := resident.New(resident.Options{Host: resides, Log: log, Notify: func(string) {}, Console: func(string) {}, Now: now})
	ctx, cancel := context.WithCancel(t.Context())
	var wait sync.WaitGroup
	wait.Go(func() {
		if err := r.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	n := wish.NodeOf("node-1", nil, nil, "")
	view := wish.View{Synced: true, CRD: "crd-1", Node: &n}
	var agents int64
	for round := range 3 {
		person, _ := join(t, h, fmt.Sprintf("bootstrap, round %d", round), false)
		up := func() error {
			_, err := person.Up(t.Context(), []v1alpha1.HostProfile{siteProfile(t, 10+round)}, hostops.UpOptions{})
			return err
		}
		patiently(t, up)
		keeps, p := join(t, h, fmt.Sprintf("manager agent, round %d", round), true)
		a := agent.New(agent.Options{Host: keeps, Cluster: &server{view: view}, Log: log, Version: "test", Patience: wish.DefaultPatience(), Now: now})
		its, end := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- a.Run(its) }()
		until(t, "the agent has the host", a.Ready)
		for i := range 12 {
			repaired(t, h, fmt.Sprint(60+i), fmt.Sprint(10+round))
			if i%5 == 4 {
				patiently(t, func() error { _, err := person.Down(t.Context(), hostops.DownOptions{}); return err })
				patiently(t, up)
			}
		}
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		agents += p.writes.Load()
		repaired(t, h, "99", fmt.Sprint(10+round)) // by the unit, which is alone now
	}
	cancel()
	wait.Wait()
	if unit.writes.Load() == 0 || agents == 0 {
		t.Errorf("the unit wrote %d times and the agents %d times: they never met", unit.writes.Load(), agents)
	}
	last, _ := join(t, h, "bootstrap, last", false)
	if report, err := last.Up(t.Context(), nil, hostops.UpOptions{}); err != nil || len(hostops.Unmet(&report)) > 0 {
		t.Errorf("%v: %+v", err, hostops.Unmet(&report))
	}
	if got, _ := h.Sysctl(swappiness); got != "12" {
		t.Errorf("in the end %s is %s", swappiness, got)
	}
}

func siteProfile(t *testing.T, value int) v1alpha1.HostProfile {
	t.Helper()
	f, ok := wish.Read([]byte(strings.ReplaceAll(
		`{"metadata":{"name":"site","uid":"1","generation":1},"spec":{"nodeSelector":{},"sysctls":[{"name":"vm.swappiness","value":N}]}}`, "N", fmt.Sprint(value))))
	if !ok {
		t.Fatal("cannot read the profile")
	}
	return *f.Profile
}
