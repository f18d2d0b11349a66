package hostops

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/swap"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// How often a host is looked at.
const (
	// driftPoll: inotify does not see writes through another mount of procfs, which is
	// what the agent's pod has, so values are read.
	driftPoll = time.Second
	// fullPoll is how often everything is looked at, whatever the events say.
	fullPoll = time.Minute
)

// The causes that a Watcher tells.
const (
	CauseDrift = "drift"
	CauseLink  = "link"
	CauseSwap  = "swap"
	CauseMount = "mount"
	CausePoll  = "poll"
	// CauseFirewalld is also told when it was reloaded: rules of others are gone then.
	CauseFirewalld = "firewalld"
	// CauseAddress: the kept address of the node came or went.
	CauseAddress = "address"
)

// Watcher notices that a host changed. It never writes.
type Watcher struct {
	machine *machine.Machine
	mu      sync.Mutex
	known   bool    // there was a run
	values  []value // what every key held after it
	swaps   string
	input   string // as it was seen last
	reloads Reloads
	mounts  []mounted
	// mountsSeen is when they were last looked at.
	mountsSeen time.Time
}

// value is what a key holds. The path is kept because it is read every second.
type value struct{ path, text string }

// Watcher returns a watcher that expects nothing yet.
func (h *Host) Watcher() *Watcher {
	return &Watcher{machine: h.machine, input: lastWritten(h.machine, watchedInput)}
}

// Expect makes the host as it is after a run what is expected of it.
func (w *Watcher) Expect(report item.Report) {
	var values []value
	for _, r := range report.Results() {
		if r.Key.Kind() != item.Sysctl || !r.Now.Present() {
			continue
		}
		for _, n := range sysctl.Members(r.Key) {
			path := n.Path()
			if text, err := w.machine.Proc.ReadSysctl(path); err == nil {
				values = append(values, value{path, text})
			}
		}
	}
	mounts := w.readMounts(&report)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known, w.values, w.swaps = true, values, w.readSwaps()
	w.mounts, w.mountsSeen = mounts, w.machine.Clock.Now()
}

// Forget makes the watcher expect nothing: somebody else keeps the host, and knows what it
// is to be.
func (w *Watcher) Forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known, w.values, w.swaps, w.mounts = false, nil, "", nil
}

// Run tells changed the cause whenever the host is not as expected any more, when a
// link appears, and at least once a minute, until ctx ends.
func (w *Watcher) Run(ctx context.Context, changed func(cause string)) error {
	ctx, end := context.WithCancel(ctx)
	defer end()
	links, err := w.machine.Network.NewLinks(ctx)
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		for range links {
			changed(CauseLink)
		}
	})
	wait.Go(func() { w.watchFirewalld(ctx, changed) })
	wait.Go(func() { w.watchAddress(ctx, changed) })
	err = w.poll(ctx, changed)
	end() // the others watch for as long as this one does
	wait.Wait()
	return err
}

func (w *Watcher) poll(ctx context.Context, changed func(cause string)) error {
	full := w.machine.Clock.Now().Add(fullPoll)
	for {
		if err := w.machine.Clock.Sleep(ctx, driftPoll); err != nil {
			if errors.Is(err, ctx.Err()) {
				return nil
			}
			return err
		}
		if cause := w.look(); cause != "" {
			changed(cause)
		}
		if now := w.machine.Clock.Now(); !now.Before(full) {
			full = now.Add(fullPoll)
			changed(CausePoll)
		}
	}
}

// look compares what is cheap to read with what is expected.
func (w *Watcher) look() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range w.values {
		if got, err := w.machine.Proc.ReadSysctl(v.path); err == nil && got != v.text {
			return CauseDrift
		}
	}
	if w.known && w.readSwaps() != w.swaps {
		return CauseSwap
	}
	if w.mountsChanged() {
		return CauseMount
	}
	if w.inputChanged() {
		return CauseInput
	}
	return ""
}

// readSwaps returns the areas in use. Their used sizes change all the time.
func (w *Watcher) readSwaps() string {
	text, err := w.machine.Proc.ReadProc(paths.Swaps)
	if err != nil {
		return ""
	}
	areas, err := swap.InUse(string(text))
	if err != nil {
		return ""
	}
	return strings.Join(areas, "\n")
}
