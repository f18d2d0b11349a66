package cluster

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// Options say which node of which cluster.
type Options struct {
	Node string // name of the Node
	// Connect says how to reach the API server. It is called until it succeeds.
	Connect func() (*rest.Config, error)
	// Changed is called whenever View or Published may say something new. It must not
	// block.
	Changed func()
	Log     *slog.Logger
	// Version is told to the server as part of the user agent.
	Version string
	// Evidence is how often evidence is gathered while something is in doubt.
	Evidence time.Duration
}

// DefaultEvidence is how often agents gather evidence.
const DefaultEvidence = 10 * time.Second

// Cluster is the API server as this node's agent sees it. All methods may be called at
// any time, and none waits for the server.
type Cluster struct {
	options  Options
	complain *complaints
	publish  chan struct{} // something to publish may have changed
	doubts   chan struct{} // something is in doubt

	mu       sync.Mutex
	profiles profiles
	node     ownNode
	own      ownStatus
	evidence *wish.Evidence
	doubtful []string
	want     *report.Report
}

// New returns a cluster of which nothing is known yet.
func New(o Options) *Cluster {
	return &Cluster{
		options:  o,
		complain: &complaints{log: o.Log},
		publish:  make(chan struct{}, 1),
		doubts:   make(chan struct{}, 1),
		profiles: profiles{byName: map[string]*wish.Found{}},
	}
}

// Run asks, watches and publishes until ctx ends.
func (c *Cluster) Run(ctx context.Context) {
	ctx = quiet(ctx)
	a, ok := c.connect(ctx)
	if !ok {
		return
	}
	var wait sync.WaitGroup
	for _, watch := range []func(context.Context, *api){c.watchProfiles, c.watchNode, c.watchStatus, c.gather, c.publishing} {
		wait.Go(func() { watch(ctx, a) })
	}
	wait.Wait()
}

// connect makes a client. That needs files, and those may come later.
func (c *Cluster) connect(ctx context.Context) (*api, bool) {
	for {
		config, err := c.options.Connect()
		if err == nil {
			var a *api
			if a, err = newAPI(config, c.options.Node, c.options.Version); err == nil {
				return a, true
			}
		}
		c.complain.about("find the API server", err)
		if !keep.Pause(ctx, 5*time.Second) {
			return nil, false
		}
	}
}

// View returns what is known now.
func (c *Cluster) View() wish.View {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := wish.View{Synced: c.profiles.synced, CRD: c.profiles.crd, Evidence: c.evidence}
	for _, f := range c.profiles.byName {
		v.Profiles = append(v.Profiles, *f)
	}
	if c.node.known && c.node.exists {
		n := c.node.Node
		v.Node = &n
	}
	return v
}

// Doubt asks for evidence about profiles until it is called without names.
func (c *Cluster) Doubt(names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.doubtful = names
	if len(names) > 0 {
		ring(c.doubts)
	}
}

// Publish makes a report the one to be published.
func (c *Cluster) Publish(r report.Report) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = &r
	ring(c.publish)
}

// Published returns what is published; known is false before the server was heard.
func (c *Cluster) Published() (*v1alpha1.HostReport, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.own.report, c.own.known
}

// noticed tells the loop and the publisher that something changed.
func (c *Cluster) noticed() {
	ring(c.publish)
	c.options.Changed()
}

// ring leaves a note that somebody will find; one is enough.
func ring(bell chan struct{}) {
	select {
	case bell <- struct{}{}:
	default:
	}
}
