package agent_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// model is what a history has led to, and what must hold of it.
type model struct {
	t        *rapid.T
	sides    [2]*modelSide
	twin     *modelSide // a host without an agent
	now      time.Time
	profiles map[string]*modelProfile

	worker, down, removed, linked, cloned bool

	pausedUntil time.Time
	machine     int
	created     int             // profiles
	followed    map[string]bool // names of profiles that may be in force
	writes      int             // of others
	loose       map[string]bool // paths of which only "a value of others" is promised
}

// modelSide is one host with its agent and its cluster.
type modelSide struct {
	host   *fake.Host
	server *server
	agent  *agent.Agent
}

func newModel(t *rapid.T) *model {
	m := &model{t: t, now: start, profiles: map[string]*modelProfile{}, worker: true, loose: map[string]bool{}, followed: map[string]bool{}, twin: &modelSide{host: modelHost()}}
	for i := range m.sides {
		m.sides[i] = &modelSide{host: modelHost(), server: &server{}}
	}
	m.restart()
	m.list()
	return m
}

func modelHost() *fake.Host {
	return fake.New(
		fake.Sysctl("kernel/core_pattern", "core"),
		fake.HasModule(fake.Module{Name: "br_netfilter", Keys: map[string]string{"net/bridge/bridge-nf-call-iptables": "1"}}),
	)
}

// each does something to both hosts, and world to the one without an agent as well.
func (m *model) each(do func(*modelSide)) {
	for _, s := range m.sides {
		do(s)
	}
}

func (m *model) world(do func(*modelSide)) {
	m.each(do)
	do(m.twin)
}

// restart ends the agents and starts others.
func (m *model) restart() {
	m.each(func(s *modelSide) {
		h, err := hostops.Open(m.t.Context(), hostops.Options{Machine: s.host.Start().Machine(), Version: "test", Holder: "agent"})
		if err != nil {
			m.t.Fatal(err)
		}
		s.agent = agent.New(agent.Options{
			Host: h, Cluster: s.server, Metrics: agent.NewMetrics("test"), Version: "test", Patience: wish.DefaultPatience(),
			Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Now: func() time.Time { return m.now },
		})
		if m.down {
			s.server.view = wish.View{}
		}
	})
}

// booted starts agents on hosts that have just booted. What others wrote is gone with the
// boot before; of what is recorded of it, nobody knows.
func (m *model) booted() {
	m.world(func(s *modelSide) {
		if m.linked {
			s.host.AddLink("lxc1")
		}
	})
	m.restart()
}

// list lets the agents see the cluster as it is now, unless there is no API server.
func (m *model) list() {
	if m.down {
		return
	}
	var all []wish.Found
	for _, name := range slices.Sorted(maps.Keys(m.profiles)) {
		f, ok := wish.Read([]byte(m.profiles[name].object(name)))
		if !ok {
			m.t.Fatalf("cannot read %s", name)
		}
		all = append(all, f)
	}
	for i, s := range m.sides {
		labels := map[string]string{}
		if m.worker {
			labels["role"] = "worker"
		}
		n := wish.NodeOf("node-1", labels, nil, "")
		n.Removed, n.PausedUntil = m.removed, m.pausedUntil
		s.server.view = wish.View{Synced: true, CRD: "crd-1", Node: &n, Profiles: slices.Clone(all), Evidence: s.server.view.Evidence}
		if i == 1 {
			slices.Reverse(s.server.view.Profiles)
		}
	}
}

func (p *modelProfile) object(name string) string {
	spec := []string{fmt.Sprintf(`"priority":%d`, p.priority)}
	if p.worker {
		spec = append(spec, `"nodeSelector":{"matchLabels":{"role":"worker"}}`)
	} else {
		spec = append(spec, `"nodeSelector":{}`)
	}
	if p.paused {
		spec = append(spec, `"paused":true`)
	}
	if p.plan {
		spec = append(spec, `"mode":"Plan"`)
	}
	if p.wrong != "" {
		spec = append(spec, p.wrong)
	} else {
		var keys []string
		for _, k := range slices.Sorted(maps.Keys(p.values)) {
			keys = append(keys, fmt.Sprintf(`{"name":%q,"value":%s}`, k, p.values[k]))
		}
		spec = append(spec, `"kernelModules":[{"name":"br_netfilter"}]`, `"sysctls":[`+strings.Join(keys, ",")+"]")
	}
	return fmt.Sprintf(`{"metadata":{"name":%q,"uid":%q,"generation":%d},"spec":{%s}}`, name, p.uid, p.generation, strings.Join(spec, ","))
}

func (m *model) step() {
	m.each(func(s *modelSide) {
		s.agent.Step(m.t.Context(), keep.Ring{Causes: map[string]bool{keep.CauseCluster: true}})
	})
}

// pass lets time pass, with evidence now and then.
func (m *model) pass(d, every time.Duration) {
	for end := m.now.Add(d); m.now.Before(end); {
		m.now = m.now.Add(every)
		m.each(func(s *modelSide) {
			s.server.view.Evidence = &wish.Evidence{At: m.now, Profiles: s.server.view.Profiles, Gone: s.server.doubtful, CRD: "crd-1", Node: s.server.view.Node}
		})
		m.step()
	}
}

// quiet lets everything settle, and checks what must hold then.
func (m *model) quiet(t *rapid.T) {
	m.down, m.removed, m.pausedUntil = false, false, time.Time{}
	m.list()
	m.pass(6*time.Minute, time.Minute)
	m.pass(2*time.Hour, time.Hour) // fights are over
	maps.DeleteFunc(m.followed, func(name string, _ bool) bool { return m.profiles[name] == nil })
	m.asWished(t)
	var before [2]int
	for i, s := range m.sides {
		before[i] = s.host.Mutations()
	}
	m.step()
	for i, s := range m.sides {
		if n := s.host.Mutations() - before[i]; n > 2 { // the folder of the lock, and its lock
			t.Fatalf("a step on a quiet host makes %d changes\n%v", n, s.host)
		}
	}
	m.always(t)
}

// asWished compares every key with what it must be.
func (m *model) asWished(t *rapid.T) {
	for key := range modelKeys {
		for _, path := range m.pathsOf(key) {
			m.keyAsWished(t, key, path)
		}
	}
}

func (m *model) pathsOf(key string) []string {
	switch {
	case !strings.Contains(key, "*"):
		return []string{strings.ReplaceAll(key, ".", "/")}
	case m.linked:
		return []string{"net/ipv4/conf/lxc1/rp_filter"}
	default:
		return nil
	}
}

func (m *model) keyAsWished(t *rapid.T, key, path string) {
	want, sure := m.wish(key)
	if !sure {
		return
	}
	got, there := m.sides[0].host.Sysctl(path)
	bare, _ := m.twin.host.Sysctl(path)
	switch {
	case want != "" && got != want:
		t.Fatalf("%s is %s, want %s\n%v", path, got, want, m.sides[0].host)
	case want == "" && m.loose[path] && slices.Contains(modelKeys[key], got) && !m.cloned && key != "net.ipv4.conf.lxc*.rp_filter":
		t.Fatalf("%s is %s, which is ours, and nobody wishes it", path, got)
	case want == "" && !m.loose[path] && there && got != bare && bare != "":
		t.Fatalf("%s is %s, without us it is %s\n%v", path, got, bare, m.sides[0].host)
	}
}

// wish works out what a key shall be, "" if nothing is wished. It is not sure where a
// profile that is held or not understood may keep something.
func (m *model) wish(key string) (value string, sure bool) {
	best := -1
	for _, p := range m.profiles {
		if p.wrong != "" { // its last good generation counts, with the selector of that
			return "", false
		}
		if p.worker && !m.worker {
			continue
		}
		if p.paused || p.heir {
			return "", false
		}
		v, has := p.values[key]
		switch {
		case p.plan || !has || p.priority < best:
		case p.priority == best && v != value:
			return "", false // a conflict; what is below it may be held as well
		default:
			best, value = p.priority, v
		}
	}
	return value, true
}

// always is what holds after each event.
func (m *model) always(t *rapid.T) {
	if a, b := m.sides[0].text(), m.sides[1].text(); a != b {
		t.Fatalf("the order of the profiles decides:\n%s\n\n%s", a, b)
	}
	for _, s := range m.sides {
		if got, _ := s.host.Sysctl("kernel/core_pattern"); got != "core" {
			t.Fatalf("kernel.core_pattern was set to %q", got)
		}
		if text, there := s.host.File(paths.SysctlDropIn); there && strings.Contains(text, "core_pattern") {
			t.Fatalf("the boot file has a key that must never be set:\n%s", text)
		}
		if p := s.server.published; p != nil && int(p.Status.Drift.Repaired) > m.writes {
			t.Fatalf("%d repairs are counted of %d foreign writes", p.Status.Drift.Repaired, m.writes)
		}
		s.recordIsSmall(t)
	}
}

func (s *modelSide) text() string {
	text := s.host.String()
	if s.server.published != nil {
		status, _ := json.Marshal(s.server.published.Status)
		text += "\n" + string(status)
	}
	return text
}

// ledgerFile is as much of the ledger as the model looks at.
type ledgerFile struct {
	Entries map[string]struct {
		Ours []json.RawMessage `json:"ours"`
	} `json:"entries"`
}

func (s *modelSide) recordIsSmall(t *rapid.T) {
	text, there := s.host.File(paths.Ledger)
	if !there {
		return
	}
	var f ledgerFile
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatalf("the ledger: %v", err)
	}
	if n := len(f.Entries); n > len(modelKeys)+12 {
		t.Fatalf("%d entries of %d keys:\n%s", n, len(modelKeys), text)
	}
	for key, e := range f.Entries {
		if len(e.Ours) > 4 {
			t.Fatalf("%s has %d values of ours", key, len(e.Ours))
		}
	}
}

const unknownField = `"later":{"a":1},`

// addUnknownField reports whether there is a ledger to add it to.
func (s *modelSide) addUnknownField() bool {
	text, there := s.host.File(paths.Ledger)
	if there && !strings.Contains(text, unknownField) {
		s.host.PutFile(paths.Ledger, strings.Replace(text, `"entries"`, unknownField+`"entries"`, 1))
	}
	return there
}

func (s *modelSide) keepsUnknownField(t *rapid.T) {
	if text, there := s.host.File(paths.Ledger); there && !strings.Contains(text, strings.TrimSuffix(unknownField, ",")) {
		t.Fatalf("what a newer version wrote is lost:\n%s", text)
	}
}

// damage cuts the ledger off. Nothing may be changed on its strength; then the admin puts
// it back.
func (m *model) damage(t *rapid.T) {
	text, there := m.sides[0].host.File(paths.Ledger)
	if !there {
		t.Skip("there is no ledger")
	}
	at := rapid.IntRange(0, len(text)-3).Draw(t, "length")
	whole := map[*modelSide]string{}
	m.each(func(s *modelSide) {
		whole[s], _ = s.host.File(paths.Ledger)
		s.host.PutFile(paths.Ledger, whole[s][:at])
	})
	before := m.sides[0].host.Sysctls()
	m.step()
	if !maps.Equal(before, m.sides[0].host.Sysctls()) {
		t.Fatalf("with a damaged ledger the host was changed")
	}
	m.each(func(s *modelSide) { s.host.PutFile(paths.Ledger, whole[s]) })
	m.step()
}

// nothingIsLeft: nobody wishes anything any more.
func (m *model) nothingIsLeft(t *rapid.T) {
	for _, s := range m.sides {
		for _, path := range []string{paths.SysctlDropIn, paths.ModulesLoad} {
			if text, there := s.host.File(path); there {
				t.Fatalf("%s is left:\n%s", path, text)
			}
		}
	}
}
