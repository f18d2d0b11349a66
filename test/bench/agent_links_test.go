package bench_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const (
	podLinks = 1000
	perBatch = 20 // as when a node starts many pods at once

	mostLink = time.Second
	// mostLinkWrites is how many writes to the API server all of them may cost, coming
	// and going: nothing that is published is about a single interface.
	mostLinkWrites = 10
)

// linksComeAndGo measures how soon a pattern is applied to an interface that appears, and what
// many that come and go cost: no write to a disk, and no storm of writes to the API.
func (x *agentBox) linksComeAndGo(profiles int) {
	x.b.Helper()
	on := v1alpha1.TextValue("1")
	p := wanted("pods", nil)
	for _, s := range []string{"arp_notify", "log_martians"} {
		p.Spec.Sysctls = append(p.Spec.Sysctls, v1alpha1.Sysctl{Name: "net.ipv4.conf.pod*." + s, Value: &on})
	}
	x.create(p)
	x.reported(profiles + 1)
	asked, traced := x.asked(), len(x.traced())
	var took []time.Duration
	for first := 0; first < podLinks; first += perBatch {
		took = append(took, x.addLinks(first)...)
	}
	for first := 0; first < podLinks; first += perBatch {
		x.ip(first, "link del pod%d # and its peer pod%d\n")
	}
	time.Sleep(5 * time.Second)
	x.hold(took, mostLink, mostLink)
	n := x.asked().since(asked)
	x.b.ReportMetric(float64(n.writes), "api-writes")
	if n.writes > mostLinkWrites {
		x.b.Errorf("%d writes to the API server", n.writes)
	}
	for _, w := range x.traced()[traced:] {
		if strings.Contains(w, "sync(") || strings.Contains(w, "</etc") || strings.Contains(w, "</var") {
			x.b.Errorf("a write to the disk: %s", w)
		}
	}
}

// ip runs one command for each pair of interfaces of a batch.
func (x *agentBox) ip(first int, command string) {
	x.b.Helper()
	var batch strings.Builder
	for i := first; i < first+perBatch; i += 2 {
		fmt.Fprintf(&batch, command, i, i+1)
	}
	x.must("ip", "-batch", x.put("pods", batch.String()))
}

// addLinks makes a batch of interfaces, and returns how long each waited for its setting.
func (x *agentBox) addLinks(first int) []time.Duration {
	x.b.Helper()
	began := time.Now()
	x.ip(first, "link add pod%d type veth peer name pod%d\n")
	var took []time.Duration
	for i := range perBatch {
		l := x.open(key{path: fmt.Sprintf("net/ipv4/conf/pod%d/log_martians", first+i)})
		took = append(took, x.comes(l, "1", began))
		_ = l.Close()
	}
	return took
}
