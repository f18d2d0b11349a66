package firewalld_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops/contention"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// healedWithin is how long a host may be without its bindings.
const healedWithin = 5 * time.Second

// server is a cluster that has one node, one profile, and the node's last report.
type server struct {
	mu   sync.Mutex
	last *report.Report
}

func (s *server) View() wish.View {
	return wish.View{Synced: true, Node: &wish.Node{UID: "node"}}
}
func (s *server) Doubt([]string) {}
func (s *server) Publish(r report.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = &r
}
func (s *server) Published() (*v1alpha1.HostReport, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return nil, true
	}
	return &s.last.Status, true
}

// TestTheAgentBindsAgain: what an admin's reload, restart or hand takes away is back
// within seconds, because firewalld's signals say so.
func TestTheAgentBindsAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("starts firewalld: not with -short")
	}
	if testbed.Reexec(t, testbed.SandboxOptions{Root: root}) {
		return
	}
	w := newWorld(t, testbed.IPTables)
	w.up(trust)
	s := &server{}
	metrics := agent.NewMetrics("test")
	var later laterClock
	stop := startAgent(t, w, s, metrics, later.Now)
	defer stop()
	for _, act := range []struct {
		name string
		do   func()
	}{
		{"the hand of an admin", func() { w.admin("--zone=trusted", "--remove-interface=lxc+") }},
		{"a reload that forgets", func() { w.forget(); w.reload() }},
		{"a restart that forgets", func() { w.forget(); w.Stop(); w.Start() }},
	} {
		later.wait(contention.Window + time.Minute) // else somebody fights with us
		act.do()
		start := time.Now()
		for !w.holds(all) {
			if time.Since(start) > 2*healedWithin {
				t.Fatalf("%s is not repaired", act.name)
			}
			time.Sleep(20 * time.Millisecond)
		}
		if took := time.Since(start); took > healedWithin {
			t.Errorf("%s was repaired after %s", act.name, took)
		} else {
			t.Logf("%s was repaired after %s", act.name, took.Round(time.Millisecond))
		}
	}
	var wrong string
	w.until(t, "the report tells it", func() bool { wrong = untold(s); return wrong == "" }, func() { t.Error(wrong) })
	answer := httptest.NewRecorder()
	metrics.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if line := `hostprofile_firewalld_reloads_total{backend="iptables"} 2`; !strings.Contains(answer.Body.String(), line) {
		t.Errorf("the metrics do not say %s", line)
	}
	if reloads, _ := w.monitor.reloadCalls(); reloads != w.reloads {
		t.Errorf("%d reloads, of them %d by the admin", reloads, w.reloads)
	}
}

// laterClock is a clock that can be set forward.
type laterClock struct{ ahead atomic.Int64 }

func (c *laterClock) Now() time.Time       { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *laterClock) wait(d time.Duration) { c.ahead.Add(int64(d)) }

func startAgent(t *testing.T, w *world, s *server, metrics *agent.Metrics, now func() time.Time) (stop func()) {
	t.Helper()
	a := agent.New(agent.Options{
		Host: w.open(), Cluster: s, Metrics: metrics, Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Version: "test", Node: "node-17", Patience: wish.DefaultPatience(), Now: now,
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	w.until(t, "the agent is ready", a.Ready)
	return func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// forget takes our bindings out of the files behind firewalld's back.
func (w *world) forget() {
	w.t.Helper()
	w.Output("rm", "-f", "/etc/firewalld/zones/trusted.xml", "/etc/firewalld/zones/trusted.xml.old")
}

// holds reports whether the zone trusted has the interfaces in both configurations.
func (w *world) holds(want []string) bool {
	return same(w.bound("", "trusted"), want) && same(w.bound("--permanent", "trusted"), want)
}

func (w *world) until(t *testing.T, what string, yes func() bool, otherwise ...func()) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !yes(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			for _, tell := range otherwise {
				tell()
			}
			t.Fatalf("not in time: %s", what)
		}
	}
}

// untold is what the report does not say: what firewalld is, that it was reloaded, which
// Pod to restart, and that all is well again.
func untold(s *server) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last == nil {
		return "there is no report"
	}
	f := s.last.Status.Facts.Firewalld
	if f == nil || f.State != "Running" || f.Backend != testbed.IPTables || f.Version == "" || f.ReloadsSeen != 2 {
		return fmt.Sprintf("facts %+v", f)
	}
	if !slices.ContainsFunc(s.last.Status.Exceptions, func(e v1alpha1.Exception) bool {
		return e.Reason == v1alpha1.ReasonFirewalldReloaded && strings.Contains(e.Message, "reloaded 2 times") && strings.Contains(e.Message, "spec.nodeName=node-17")
	}) {
		return fmt.Sprintf("exceptions %+v", s.last.Status.Exceptions)
	}
	for _, c := range s.last.Node {
		if c.Type == v1alpha1.NodeConditionFirewalld && c.Status == "True" && c.Reason == v1alpha1.ReasonAllApplied {
			return ""
		}
	}
	return fmt.Sprintf("conditions %+v", s.last.Node)
}
