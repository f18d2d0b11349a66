package fake

import (
	"maps"
	"slices"
	"sync"
	"time"
)

// Host is one host. Its methods may be called at any time, from several goroutines
// and from a hook as well.
type Host struct {
	mu        sync.Mutex
	sysctls   sysctls
	links     links
	listeners []*listener     // of new links; not copied by Clone
	watchers  []chan struct{} // of the network; not copied by Clone
	timers    []timer         // not copied by Clone
	modules   modules
	swaps     swaps
	mounts    mounts
	firewall  firewall
	chains    chains
	units     units
	self      self
	selinux   selinux
	files     files
	locks     []heldLock
	lockSeq   int
	texts     map[string]string // files below /proc and /sys; copied before a change
	procs     []state
	steps     steps
	faults    faults
	reader    Reader
	boots     int
	alone     bool // a network namespace whose lo is down
	now       time.Time
}

// New returns a host that has booted once. Without options it has the sysctls of
// Catalog, the links lo and eth0, the modules of a usual distribution, 4 GiB of
// memory, no swap, and the empty directories that every host has.
func New(options ...Option) *Host {
	h := &Host{now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	h.procs = make([]state, 1)
	h.steps.stopAt = never
	h.sysctls.index = make(map[string]int32)
	h.swaps.total, h.swaps.free = 4<<30, 3<<30
	h.files.root = emptyTree(h.now)
	h.mounts.atBoot = systemd
	var s setup
	for _, option := range options {
		option(&s)
	}
	s.build(h)
	h.boot()
	return h
}

// Clone returns an independent copy: files, locks, faults and counters included.
// Hooks are not copied. It costs little more than copying the sysctls' values.
func (h *Host) Clone() *Host {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &Host{
		sysctls:  h.sysctls.clone(),
		links:    h.links.clone(),
		modules:  h.modules.clone(),
		swaps:    h.swaps.clone(),
		mounts:   h.mounts.clone(),
		firewall: h.firewall.clone(),
		chains:   h.chains,
		units:    h.units.clone(),
		self:     h.self,
		selinux:  h.selinux.clone(),
		files:    h.files.clone(),
		locks:    slices.Clone(h.locks),
		lockSeq:  h.lockSeq,
		texts:    h.texts,
		procs:    slices.Clone(h.procs),
		steps:    h.steps.clone(),
		faults:   h.faults.clone(),
		reader:   h.reader,
		boots:    h.boots,
		alone:    h.alone,
		now:      h.now,
	}
}

// Now returns the host's time. It moves only by Advance and by a program's Sleep.
func (h *Host) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// Advance moves the host's time, backwards too.
func (h *Host) Advance(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

// cloneMap keeps nil maps nil, so that an unused feature costs a clone nothing.
func cloneMap[K comparable, V any](m map[K]V) map[K]V {
	if len(m) == 0 {
		return nil
	}
	return maps.Clone(m)
}
