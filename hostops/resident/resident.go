package resident

import (
	"context"
	"log/slog"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// Options are what a resident is made of.
type Options struct {
	Host *hostops.Host
	Log  *slog.Logger
	// Notify tells the init system a new state, in the words of sd_notify(3).
	Notify func(state string)
	// Console shows a line to whoever sits in front of the host.
	Console func(line string)
	// Now tells the time; nil means the real one.
	Now func() time.Time
}

// Resident keeps one host. Its methods are called by one goroutine.
type Resident struct {
	options Options
	host    *hostops.Host
	watcher *hostops.Watcher
	bell    *keep.Bell
	log     *slog.Logger

	seat     func() error // releases the lock of the only resident; nil without it
	repairs  keep.Repairs
	gate     hostops.Gate
	ready    bool   // the init system was told
	status   string // as the init system was told last
	shown    string // on the console, last
	since    time.Time
	failures int // runs in a row that did not reach what is required
}

// New returns a resident that has done nothing yet.
func New(o Options) *Resident {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Resident{options: o, host: o.Host, watcher: o.Host.Watcher(), bell: keep.NewBell(), log: o.Log, gate: o.Host.Gate(), since: o.Now()}
}

// Run keeps the host until ctx ends. It writes nothing at its end.
func (r *Resident) Run(ctx context.Context) error {
	if r.gate.Open { // this is a restart: who waits for the unit is not to wait again
		r.becomeReady()
	}
	loop := keep.Loop{Bell: r.bell, Watcher: r.watcher, Log: r.log, Now: r.options.Now, Step: r.Step}
	loop.Run(ctx)
	r.options.Notify("STOPPING=1")
	return r.leave()
}

// Step looks at the host once, and says what it found. It returns when to look again
// although nothing happened; zero if there is no reason to.
func (r *Resident) Step(ctx context.Context, ring keep.Ring) (next time.Time) {
	f := r.turn(ctx, ring)
	if ctx.Err() != nil {
		return time.Time{}
	}
	f.message = line(f.message)
	r.say(&f)
	if f.again > 0 {
		next = r.options.Now().Add(f.again)
	}
	if at := r.repairs.Next(r.options.Now()); next.IsZero() || !at.IsZero() && at.Before(next) {
		next = at
	}
	return next
}

// leave gives up the lock of the only resident, if it is ours.
func (r *Resident) leave() error {
	if r.seat == nil {
		return nil
	}
	err := r.seat()
	r.seat = nil
	return err
}
