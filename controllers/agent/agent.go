package agent

import (
	"log/slog"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// Cluster is what the loop needs of the API server. No method waits for it.
type Cluster interface {
	// View returns what is known now.
	View() wish.View
	// Doubt asks for evidence about the named profiles, again and again until it is
	// called without names.
	Doubt(names []string)
	// Publish makes a report the one to be published; it is compared with what is
	// published already, and tried until it is.
	Publish(report.Report)
	// Published returns the report that is published, nil if none is; known is false
	// before that is known.
	Published() (r *v1alpha1.HostReport, known bool)
}

// Options are what an agent is made of.
type Options struct {
	Host    *hostops.Host
	Cluster Cluster
	Metrics *Metrics
	Log     *slog.Logger
	Version string
	// Node is the name of the Node.
	Node string
	// Patience decides when a profile is believed to be gone.
	Patience wish.Patience
	// Now tells the time; nil means the real one.
	Now func() time.Time
}

// Agent keeps one host. Its methods are called by one goroutine, but for those of Bell.
type Agent struct {
	options Options
	host    *hostops.Host
	cluster Cluster
	watcher *hostops.Watcher
	bell    *keep.Bell
	log     *slog.Logger

	recalled  bool // what was accepted last is known
	accepted  []hostops.Accepted
	memory    *wish.Memory
	pause     wish.Pause
	repairs   keep.Repairs
	overrides []hostops.Override
	kubelet   []hostops.KubeletRefusal
	drift     driftCount
	readiness readiness
	told      map[string]time.Time // messages that are not to be repeated at once
}

// New returns an agent that has done nothing yet.
func New(o Options) *Agent {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Agent{
		options: o, host: o.Host, cluster: o.Cluster, watcher: o.Host.Watcher(), bell: keep.NewBell(),
		log: o.Log, memory: wish.NewMemory(o.Patience), told: map[string]time.Time{},
	}
}

// Ring makes the agent look at everything again, soon. It may be called by anybody.
func (a *Agent) Ring(cause string) { a.bell.Ring(cause) }

// tell logs a problem, each at most once in tellEvery.
func (a *Agent) tell(message string, args ...any) {
	now := a.options.Now()
	if last, known := a.told[message]; known && now.Sub(last) < tellEvery {
		return
	}
	a.told[message] = now
	a.log.Warn(message, args...)
}

const tellEvery = 5 * time.Minute
