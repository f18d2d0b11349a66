package agent_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// bubble is a clock of a bubble of synctest.
type bubble struct{}

func (bubble) Now() time.Time { return time.Now() }

func (bubble) Sleep(ctx context.Context, d time.Duration) error {
	if !keep.Pause(ctx, d) {
		return ctx.Err()
	}
	return nil
}

// looked counts how often the agent decides.
type looked struct {
	*server
	n atomic.Int64
}

func (l *looked) View() wish.View {
	l.n.Add(1)
	return l.server.View()
}

// A host that is not ours to keep is looked at once a minute, whatever its values are.
func TestAHostThatIsNotOursIsLeftInPeace(t *testing.T) {
	for name, end := range map[string]func(w *world){
		"the Node asks for everything back": func(w *world) { w.server.view.Node.Removed = true },
		"the host was given back by hand":   func(w *world) { w.down() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := wish.NodeOf("node-1", nil, nil, "")
				w := &world{t: t, host: fake.New(), server: &server{view: wish.View{Synced: true, CRD: "crd-1", Node: &n}}}
				l := &looked{server: w.server}
				m := w.host.Start().Machine()
				m.Clock = bubble{}
				h, err := hostops.Open(t.Context(), hostops.Options{Machine: m, Version: "test", Holder: "agent"})
				if err != nil {
					t.Fatal(err)
				}
				w.agent = agent.New(agent.Options{Host: h, Cluster: l, Version: "test", Patience: wish.DefaultPatience(), Log: slog.New(slog.DiscardHandler)})
				w.have(site("10")).is(swappiness, "10")
				end(w)
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() { done <- w.agent.Run(ctx) }()
				time.Sleep(10 * time.Second)
				before := l.n.Load()
				time.Sleep(10 * time.Minute)
				if n := l.n.Load() - before; n > 10 {
					t.Errorf("looked at %d times in ten minutes", n)
				}
				cancel()
				if err := <-done; err != nil {
					t.Error(err)
				}
			})
		})
	}
}
