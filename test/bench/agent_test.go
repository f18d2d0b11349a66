package bench_test

import (
	"fmt"
	"testing"
)

// BenchmarkAgent measures the agent as it is shipped, on a host with 1 000 keys and beside
// a real API server that has first one HostProfile and then a hundred, ten of them for
// this host.
func BenchmarkAgent(b *testing.B) {
	x := newAgentBox(b, 1000)
	x.start(x.trace()...)
	x.create(wanted("profile-0", x.keys[:10]))
	x.reported(1)
	if len(x.traced()) == 0 {
		b.Fatal("no write was noted, although the host was changed")
	}
	step := func(name string, measure func()) {
		b.Run(name, func(b *testing.B) { x.b = b; measure() })
		x.b = b
	}
	step("AtRest", func() { x.rest(mostAnonymous) })
	x.hundredProfiles()
	step("AtRestAmongHundredProfiles", func() { x.rest(mostAnonymousHundred) })
	step("Restarts", x.restarts)
	step("LinksComeAndGo", func() { x.linksComeAndGo(10) })
	step("Edits", x.edits)
	x.create(wanted("many", x.keys[100:300]))
	x.reported(12)
	step("Repairs", x.repairs)
}

// hundredProfiles creates as many as make a hundred, of which ten are for this host.
func (x *agentBox) hundredProfiles() {
	x.b.Helper()
	for i := 1; i < 100; i++ {
		p := wanted(fmt.Sprintf("profile-%d", i), x.keys[i*10:i*10+10])
		if i >= 10 {
			p.Spec.NodeSelector.MatchLabels = map[string]string{"for": "others"}
		}
		x.create(p)
	}
	x.reported(10)
}
