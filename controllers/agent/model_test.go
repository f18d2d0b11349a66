package agent_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// TestTheAgentInAnyHistory plays what happens to a node: profiles come, change, are held
// and go, the node gets other labels, others write to the kernel, the agent dies, the host
// reboots or loses power, is cloned, the API server goes and comes, and an older version
// runs in between. After each event no key is written that must not be, and a damaged
// record undoes nothing; once it is quiet
//
//	G1 the host is as wished, and the next step changes nothing
//	G2 what nobody wishes is as on a host without us
//	G4 no more drift is counted than others wrote
//	G5 the record does not grow
//
// and what is planned is nothing. Two hosts live through each history, and their clusters
// list the profiles in opposite orders: they must never differ.
func TestTheAgentInAnyHistory(t *testing.T) {
	histories := 0
	rapid.Check(t, func(t *rapid.T) {
		histories++
		m := newModel(t)
		t.Repeat(map[string]func(*rapid.T){
			"":           m.always,
			"profile":    m.putProfile,
			"delete":     m.deleteProfile,
			"relabel":    m.relabel,
			"foreign":    m.foreign,
			"link":       m.link,
			"crash":      m.crash,
			"reboot":     m.reboot,
			"power cut":  m.powerCut,
			"clone":      m.clone,
			"API server": m.toggleServer,
			"downgrade":  m.downgrade,
			"pause node": m.pauseNode,
			"remove":     m.removeNode,
			"damage":     m.damage,
			"step":       func(*rapid.T) { m.step() },
			"quiet":      m.quiet,
		})
		m.profiles = map[string]*modelProfile{}
		m.quiet(t)
		m.nothingIsLeft(t)
	})
	t.Logf("==> histories of the agent: %d", histories)
}

// modelProfile is a HostProfile of the cluster.
type modelProfile struct {
	uid                  string
	generation, priority int
	values               map[string]string // by name of the key
	paused, plan, worker bool
	heir                 bool   // a plan under a name of which something may be in force, which it holds
	wrong                string // a field or a key that an agent must not follow
}

// The keys that profiles of the model set, and what they set them to. What others write
// and what boots give is something else, so that a value tells where it comes from.
var modelKeys = map[string][]string{
	"vm.swappiness":                      {"10", "20"},
	"vm.max_map_count":                   {"100001", "100002"},
	"kernel.pid_max":                     {"50001", "50002"},
	"net.ipv4.conf.lxc*.rp_filter":       {"0"},
	"net.bridge.bridge-nf-call-iptables": {"0"},
}

var modelForeign = map[string]string{
	"vm/swappiness": "41", "vm/max_map_count": "100041", "kernel/pid_max": "50041",
}

// What a stored profile may hold although it must never be followed.
var modelWrong = []string{
	`"sysctls":[{"name":"kernel.core_pattern","value":"x"}]`,
	`"sysctls":[{"name":"vm.swappiness","value":"10\nkernel.core_pattern = x"}]`,
	`"sysctls":[{"name":"net.ipv4.conf.*.rp_filter","value":0}]`,
	`"colour":"red"`,
}

func (m *model) putProfile(t *rapid.T) {
	name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "name")
	old := m.profiles[name]
	p := &modelProfile{
		generation: 1,
		priority:   rapid.IntRange(0, 1).Draw(t, "priority"),
		values:     map[string]string{},
		paused:     rapid.IntRange(0, 4).Draw(t, "paused") == 0,
		plan:       old == nil && rapid.IntRange(0, 4).Draw(t, "plan") == 0,
		worker:     rapid.Bool().Draw(t, "worker"),
	}
	if old != nil {
		p.uid, p.generation = old.uid, old.generation+1
	} else {
		m.created++
		p.uid = fmt.Sprintf("uid-%d", m.created)
	}
	p.heir = p.plan && m.followed[name]
	m.followed[name] = true
	for _, key := range slices.Sorted(maps.Keys(modelKeys)) {
		if rapid.Bool().Draw(t, key) {
			p.values[key] = rapid.SampledFrom(modelKeys[key]).Draw(t, "value")
		}
	}
	if rapid.IntRange(0, 5).Draw(t, "wrong") == 0 {
		p.wrong = rapid.SampledFrom(modelWrong).Draw(t, "what")
	}
	m.profiles[name] = p
	m.list()
}

func (m *model) deleteProfile(t *rapid.T) {
	if len(m.profiles) == 0 {
		t.Skip("there is none")
	}
	delete(m.profiles, rapid.SampledFrom(slices.Sorted(maps.Keys(m.profiles))).Draw(t, "name"))
	m.list()
}

func (m *model) relabel(*rapid.T) { m.worker = !m.worker; m.list() }

func (m *model) toggleServer(*rapid.T) { m.down = !m.down; m.list() }

func (m *model) pauseNode(*rapid.T) { m.pausedUntil = m.now.Add(time.Hour); m.list() }

func (m *model) removeNode(*rapid.T) { m.removed = !m.removed; m.list() }

// foreign is somebody who writes to a key: from then on only this is promised of it, that
// it has a value of others once we let go of it.
func (m *model) foreign(t *rapid.T) {
	path := rapid.SampledFrom(slices.Sorted(maps.Keys(modelForeign))).Draw(t, "key")
	m.loose[path] = true
	m.writes++
	m.world(func(s *modelSide) {
		if err := s.host.SetSysctl(path, modelForeign[path]); err != nil {
			t.Fatal(err)
		}
	})
}

func (m *model) link(*rapid.T) {
	m.linked = !m.linked
	m.world(func(s *modelSide) {
		if m.linked {
			s.host.AddLink("lxc1")
		} else {
			s.host.RemoveLink("lxc1")
		}
	})
	m.loose["net/ipv4/conf/lxc1/rp_filter"] = true // it may be born with our value
}

// crash kills the agent in its next step.
func (m *model) crash(t *rapid.T) {
	at := rapid.IntRange(0, 20).Draw(t, "at")
	m.each(func(s *modelSide) { s.host.StopAt(at) })
	m.step()
	m.each(func(s *modelSide) { s.host.Revive() })
	m.restart()
}

func (m *model) reboot(*rapid.T) {
	m.world(func(s *modelSide) { s.host.Reboot() })
	m.booted()
}

func (m *model) powerCut(t *rapid.T) {
	at := rapid.IntRange(0, 20).Draw(t, "at")
	m.each(func(s *modelSide) { s.host.StopAt(at) })
	m.step()
	m.world(func(s *modelSide) { s.host.PowerCut() })
	m.booted()
}

// clone makes another machine of this one: what was there before us is not known of it.
func (m *model) clone(t *rapid.T) {
	m.machine++
	for path := range modelForeign {
		m.loose[path] = true
	}
	m.cloned = true
	id := fmt.Sprintf("%032x\n", m.machine)
	m.world(func(s *modelSide) { s.host.PutFile(paths.MachineID, id); s.host.Reboot() })
	m.booted()
}

// downgrade runs a version that does not know a field which a newer one wrote.
func (m *model) downgrade(t *rapid.T) {
	there := true
	m.each(func(s *modelSide) { there = s.addUnknownField() && there })
	m.restart()
	m.step()
	if there {
		m.each(func(s *modelSide) { s.keepsUnknownField(t) })
	}
}
