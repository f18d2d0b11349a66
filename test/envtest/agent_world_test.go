package envtest_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/cluster"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/test/envtest/control"
)

// realClock is the clock of a fake host whose agent runs in real time.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// fleet is a control plane with agents on hosts in memory.
type fleet struct {
	plane *control.Plane
	admin client.Client
}

// startFleet starts a control plane with the role of the agent, as it is shipped.
func startFleet(t *testing.T) *fleet {
	t.Helper()
	p := control.Start(t)
	f := &fleet{plane: p}
	dir, err := control.File("config/daemonset")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kubectl(t.Context(), "", "apply", "-k", dir); err != nil {
		t.Fatal(err)
	}
	if f.admin, err = client.New(p.Config, client.Options{Scheme: scheme(t)}); err != nil {
		t.Fatal(err)
	}
	return f
}

// member is one node with its host and its agent.
type member struct {
	*fleet
	t     *testing.T
	name  string
	host  *fake.Host
	wire  *wire
	log   *lines
	agent *agent.Agent
	stop  func()
	short wish.Patience
	every time.Duration // evidence
}

// lines is a log that several goroutines write.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// wire counts what an agent asks of the API server, and can break it.
type wire struct {
	next    http.RoundTripper
	writes  atomic.Int64
	watches atomic.Int64
	all     atomic.Int64
	paths   sync.Map // watched, with query
	fault   atomic.Pointer[func(*http.Request, http.RoundTripper) (*http.Response, error)]
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	w.all.Add(1)
	if r.Method != http.MethodGet {
		w.writes.Add(1)
	}
	if r.URL.Query().Get("watch") == "true" || r.URL.Query().Get("watch") == "1" {
		w.watches.Add(1)
		w.paths.Store(r.URL.Path+" "+r.URL.Query().Get("fieldSelector"), true)
	}
	if f := w.fault.Load(); f != nil {
		return (*f)(r, w.next)
	}
	return w.next.RoundTrip(r)
}

// join makes a Node of this name, labelled test=NAME, and starts its agent.
func (f *fleet) join(t *testing.T, name string) *member {
	t.Helper()
	m := &member{fleet: f, t: t, name: name, host: fake.New(), wire: &wire{}, log: &lines{},
		short: wish.Patience{Away: time.Second, Moved: 4 * time.Second}, every: 200 * time.Millisecond}
	m.makeNode()
	m.start()
	t.Cleanup(func() { m.stop() })
	return m
}

func (m *member) makeNode() {
	m.t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name, Labels: map[string]string{"test": m.name}}}
	if err := m.admin.Create(m.t.Context(), n); err != nil {
		m.t.Fatal(err)
	}
	n.Status.Conditions = []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "it is"}}
	if err := m.admin.Status().Update(m.t.Context(), n); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = m.admin.Delete(context.WithoutCancel(m.t.Context()), n) })
}

// start starts the agent as the service account that it has in a cluster.
func (m *member) start() {
	m.t.Helper()
	ctx, cancel := context.WithCancel(m.t.Context())
	process := m.host.Start().Machine()
	process.Clock = realClock{}
	host, err := hostops.Open(ctx, hostops.Options{Machine: process, Version: "test", Holder: "agent", LockTimeout: time.Second})
	if err != nil {
		m.t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(m.log, nil))
	var a *agent.Agent
	c := cluster.New(cluster.Options{
		Node: m.name, Log: log, Version: "test", Evidence: m.every,
		Connect: func() (*rest.Config, error) { return m.connection(), nil },
		Changed: func() { a.Ring(keep.CauseCluster) },
	})
	a = agent.New(agent.Options{Host: host, Cluster: c, Metrics: agent.NewMetrics("test"), Log: log, Version: "test", Patience: m.short})
	m.agent = a
	var wait sync.WaitGroup
	wait.Go(func() { c.Run(ctx) })
	wait.Go(func() {
		if err := a.Run(ctx); err != nil && ctx.Err() == nil {
			m.t.Error(err)
		}
	})
	m.stop = func() { cancel(); wait.Wait() }
}

func (m *member) connection() *rest.Config {
	c := rest.CopyConfig(m.plane.Config)
	c.Impersonate.UserName = agentUser
	c.QPS = -1
	c.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		m.wire.next = rt
		return m.wire
	})
	return c
}

// restart ends the agent and starts another one on the same host.
func (m *member) restart() {
	m.t.Helper()
	m.stop()
	m.start()
}

// profile creates or changes a profile for this member alone.
func (m *member) profile(name, spec string) {
	m.t.Helper()
	m.raw(name, fmt.Sprintf("nodeSelector: {matchLabels: {test: %s}}, %s", m.name, spec))
}

func (m *member) raw(name, spec string) {
	m.t.Helper()
	text := fmt.Sprintf("apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: %s}\nspec: {%s}\n", name, spec)
	if _, err := m.plane.Kubectl(m.t.Context(), text, "apply", "--server-side", "--force-conflicts", "-f", "-"); err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { m.deleteProfile(name) })
}

func (m *member) deleteProfile(name string) {
	p := &v1alpha1.HostProfile{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_ = m.admin.Delete(context.WithoutCancel(m.t.Context()), p)
}

func (m *member) patchNode(patch string) {
	m.t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: m.name}}
	if err := m.admin.Patch(m.t.Context(), n, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		m.t.Fatal(err)
	}
}

// live waits until a sysctl has a value.
func (m *member) live(path, want string) {
	m.t.Helper()
	m.until(path+" is "+want, func() bool { got, _ := m.host.Sysctl(path); return got == want })
}

// stays fails if a sysctl changes in a while.
func (m *member) stays(path, want string, d time.Duration) {
	m.t.Helper()
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got, _ := m.host.Sysctl(path); got != want {
			m.t.Fatalf("%s is %s, want %s to stay", path, got, want)
		}
	}
}

func (m *member) until(what string, ok func() bool) {
	m.t.Helper()
	for end := time.Now().Add(45 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	m.t.Fatalf("not so: %s\nstatus %+v\nlog %s", what, m.status(), m.log)
}

// status is what the member publishes, empty if it does not.
func (m *member) status() v1alpha1.HostReport {
	var s v1alpha1.HostProfileStatus
	_ = m.admin.Get(m.t.Context(), client.ObjectKey{Name: m.name}, &s)
	return s.Status
}

// state waits for a state, and for a reason of Ready.
func (m *member) state(state v1alpha1.NodeState, reason v1alpha1.Reason) v1alpha1.HostReport {
	m.t.Helper()
	var s v1alpha1.HostReport
	m.until(fmt.Sprintf("state %s, %s", state, reason), func() bool {
		s = m.status()
		return s.State == state && len(s.Conditions) > 0 && s.Conditions[0].Reason == string(reason)
	})
	return s
}

// conditions are those on the Node: "TYPE=STATUS/REASON", sorted as the server has them.
func (m *member) conditions() string {
	m.t.Helper()
	var n corev1.Node
	if err := m.admin.Get(m.t.Context(), client.ObjectKey{Name: m.name}, &n); err != nil {
		return err.Error()
	}
	var out []string
	for _, c := range n.Status.Conditions {
		out = append(out, fmt.Sprintf("%s=%s/%s", c.Type, c.Status, c.Reason))
	}
	return strings.Join(out, " ")
}

// quiet waits until the agent has nothing more to say for a moment.
func (m *member) quiet() {
	last, since := m.wire.writes.Load(), time.Now()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end) && time.Since(since) < 1200*time.Millisecond; time.Sleep(20 * time.Millisecond) {
		if now := m.wire.writes.Load(); now != last {
			last, since = now, time.Now()
		}
	}
}
