package envtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// trouble is what a server or a proxy before it does with every request.
type trouble struct {
	name  string
	fault func(*http.Request, http.RoundTripper) (*http.Response, error)
	most  int64 // requests meanwhile
}

// troubled is how long agents have to live with their trouble.
const troubled = 8 * time.Second

func refuses(code int, reason string, header ...string) func(*http.Request, http.RoundTripper) (*http.Response, error) {
	return func(r *http.Request, _ http.RoundTripper) (*http.Response, error) {
		res := answer(r, code, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"`+reason+`"}`)
		if len(header) == 2 {
			res.Header.Set(header[0], header[1])
		}
		return res, nil
	}
}

func slow(d time.Duration) func(*http.Request, http.RoundTripper) (*http.Response, error) {
	return func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		select {
		case <-r.Context().Done():
			return nil, r.Context().Err()
		case <-time.After(d):
			return next.RoundTrip(r)
		}
	}
}

var troubles = []trouble{
	{"401", refuses(http.StatusUnauthorized, "Unauthorized"), 40},
	{"403", refuses(http.StatusForbidden, "Forbidden"), 40},
	{"429", refuses(http.StatusTooManyRequests, "TooManyRequests", "Retry-After", "3"), 25},
	{"500", refuses(http.StatusInternalServerError, "InternalError"), 40},
	{"503", refuses(http.StatusServiceUnavailable, "ServiceUnavailable"), 40},
	{"slow", slow(3 * time.Second), 20},
	{"silent", slow(time.Hour), 20},
}

// serverTroubles plays all troubles at once, each with an agent of its own: nearly all the
// time is waiting.
func serverTroubles(t *testing.T, f *fleet) {
	var all []*member
	for _, c := range troubles {
		m := f.join(t, "trouble-"+c.name)
		m.profile(m.name, "sysctls: [{name: vm.swappiness, value: 10}]")
		all = append(all, m)
	}
	for i, m := range all {
		m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
		m.suffer(&troubles[i])
	}
	for _, m := range all {
		_ = m.host.SetSysctl(swappiness, "60")
		m.live(swappiness, "10")
	}
	for end := time.Now().Add(troubled); time.Now().Before(end); {
		for _, m := range all {
			m.stays(swappiness, "10", 20*time.Millisecond)
		}
	}
	for i, m := range all {
		m.suffered(&troubles[i])
		m.wire.fault.Store(nil)
		m.profile(m.name, "sysctls: [{name: vm.swappiness, value: 20}]")
	}
	for _, m := range all {
		m.live(swappiness, "20")
		m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	}
}

// suffer makes an agent start anew while the trouble lasts: it has only what is on the
// host.
func (m *member) suffer(c *trouble) {
	m.t.Helper()
	m.stop()
	m.log = &lines{}
	m.wire.all.Store(0)
	m.wire.fault.Store(&c.fault)
	m.start()
}

// suffered checks that the agent neither stormed the server nor filled its log.
func (m *member) suffered(c *trouble) {
	m.t.Helper()
	n := m.wire.all.Load()
	m.t.Logf("%s: %d requests", c.name, n)
	if n > c.most {
		m.t.Errorf("%s: %d requests, more than %d", c.name, n, c.most)
	}
	if n := strings.Count(m.log.String(), "level=WARN"); n > 1 {
		m.t.Errorf("%s: %d warnings: %s", c.name, n, m.log)
	}
}

func contention(t *testing.T, f *fleet) {
	m := f.join(t, "fight")
	m.profile("fight", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	for range 2 {
		_ = m.host.SetSysctl(swappiness, "60")
		m.live(swappiness, "10")
	}
	_ = m.host.SetSysctl(swappiness, "60") // is repaired, and begins the fight
	m.live(swappiness, "10")
	s := m.state(v1alpha1.NodeDegraded, v1alpha1.ReasonContended)
	e := s.Exceptions[0]
	if e.Key != "sysctl/vm.swappiness" || !strings.Contains(e.Message, "to 60") || !strings.Contains(e.Message, "want 10") || !strings.Contains(e.Message, "tuned") {
		t.Errorf("%+v", e)
	}
	_ = m.host.SetSysctl(swappiness, "60")
	m.stays(swappiness, "60", 4*time.Second)
	writes := m.wire.writes.Load()
	time.Sleep(2 * time.Second)
	if n := m.wire.writes.Load() - writes; n > 0 {
		t.Errorf("%d writes to the API server about a fight that goes on", n)
	}
}

func twoAgents(t *testing.T, f *fleet) {
	m := f.join(t, "two")
	m.profile("two", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	second := &member{fleet: f, t: t, name: m.name, host: m.host, wire: &wire{}, log: &lines{}, short: m.short, every: m.every}
	second.start()
	t.Cleanup(func() { second.stop() })
	second.until("it says that it waits", func() bool { return strings.Contains(second.log.String(), "somebody else keeps this host") })
	before := m.host.Mutations()
	time.Sleep(5 * time.Second)
	if second.agent.Ready() || second.wire.writes.Load() > 0 || strings.Count(second.log.String(), "level=WARN") > 1 || m.host.Mutations() > before {
		t.Errorf("ready %v, %d writes to the API server, %d to the host: %s", second.agent.Ready(), second.wire.writes.Load(), m.host.Mutations()-before, second.log)
	}
	m.stop()
	_ = m.host.SetSysctl(swappiness, "60")
	m.live(swappiness, "10")
	second.until("it is ready", second.agent.Ready)
}

func linksComeAndGo(t *testing.T, f *fleet) {
	m := f.join(t, "links")
	m.profile("links", "sysctls: [{name: 'net.ipv4.conf.pod*.log_martians', value: 1}]")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	m.quiet()
	before := m.wire.writes.Load()
	for i := range 20 {
		m.host.AddLink(fmt.Sprintf("pod%d", i))
		time.Sleep(150 * time.Millisecond) // or one run would see several
		m.live(fmt.Sprintf("net/ipv4/conf/pod%d/log_martians", i), "1")
	}
	if n := m.wire.writes.Load() - before; n > 2 {
		t.Errorf("%d writes to the API server", n)
	}
}
