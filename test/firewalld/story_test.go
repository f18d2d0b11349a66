package firewalld_test

import (
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const exitSignal = syscall.SIGINT

var all = []string{"cilium_host", "cilium_net", "cilium_vxlan", "cilium_geneve", "lxc+"}

// TestTheStoryOfAFirewalld is one host's life: each act goes on where the last one ended.
// The iptables backend has it on a host with systemd.
func TestTheStoryOfAFirewalld(t *testing.T) {
	if testing.Short() {
		t.Skip("starts firewalld: not with -short")
	}
	if testbed.Reexec(t, testbed.SandboxOptions{Root: root}) {
		return
	}
	w := newWorld(t, testbed.NFTables)
	files, zones := w.files(), w.zones()

	bringUp(t, w, zones)
	w.Output("sh", "-c", "for i in 1 2; do ip link add cilium_host type bridge; ip link del cilium_host; done")
	w.reload()
	w.trusted(all...)
	w.Stop()
	w.Start()
	w.trusted(all...)
	absenceIsRepaired(w)
	presenceElsewhereIsNot(t, w)

	w.down()
	if got := w.files(); got != files {
		t.Errorf("/etc/firewalld after down:\n%s\nbefore up:\n%s", got, files)
	}
	if got := w.zones(); got != zones {
		t.Errorf("the zones after down:\n%s\nbefore up:\n%s", got, zones)
	}

	stopped(t, w, files)
	if reloads, calls := w.monitor.reloadCalls(); reloads != w.reloads || calls < 50 {
		t.Errorf("%d reloads, of them %d by the admin; %d calls were seen", reloads, w.reloads, calls)
	} else {
		t.Logf("%d calls to firewalld, %d reloads, all of them the admin's", calls, reloads)
	}
}

// bringUp: bound in both configurations, and nothing of the NIC's zone changes but the
// binding of what is not to be trusted.
func bringUp(t *testing.T, w *world, before string) {
	t.Helper()
	r := w.up(trust)
	for _, res := range r.Results() {
		if res.Outcome != item.Changed {
			t.Errorf("%s is %s: %s", res.Key, res.Outcome, res.Message)
		}
	}
	w.trusted(all...)
	w.interfaces("", "public", "ext0", "lxcbr0")
	w.interfaces("--permanent", "public", "ext0", "lxcbr0")
	if got := lines(w.zones(), "interfaces:", "trusted"); got != lines(before, "interfaces:", "trusted") {
		t.Errorf("zones after up:\n%s\nbefore:\n%s", got, lines(before, "interfaces:", "trusted"))
	}
	if again := w.up(""); strings.Contains(outcomes(again), string(item.Changed)) {
		t.Errorf("the second run: %s", outcomes(again))
	}
}

// absenceIsRepaired: what an admin takes out of a zone comes back.
func absenceIsRepaired(w *world) {
	w.t.Helper()
	w.admin("--zone=trusted", "--remove-interface=lxc+")
	w.admin("--permanent", "--zone=trusted", "--remove-interface=cilium_net")
	w.up("")
	w.trusted(all...)
}

// presenceElsewhereIsNot: what an admin moves to another zone stays there, and is told
// with the command that moves it.
func presenceElsewhereIsNot(t *testing.T, w *world) {
	t.Helper()
	w.admin("--zone=internal", "--change-interface=cilium_host")
	told := reasons(w.up(""))
	w.interfaces("", "internal", "cilium_host")
	w.interfaces("--permanent", "trusted", all...)
	const want = "firewalld/runtime/trusted/cilium_host ZoneConflict firewall-cmd --zone=trusted --change-interface=cilium_host\n"
	if told != want {
		t.Errorf("told %q", told)
	}
	w.admin(strings.Fields(want)[3:]...)
	w.up("")
	w.trusted(all...)
}

// stopped: up and down while firewalld does not run.
func stopped(t *testing.T, w *world, files string) {
	t.Helper()
	w.Stop()
	w.up(`firewalld: {trustedInterfaces: [cilium_host]}`)
	w.Start()
	w.trusted("cilium_host")
	w.Stop()
	w.down()
	if got := w.files(); got != files {
		t.Errorf("/etc/firewalld after down while stopped:\n%s\nbefore:\n%s", got, files)
	}
	w.Start()
	w.trusted()
}

func outcomes(r item.Report) string {
	var b strings.Builder
	for _, res := range r.Results() {
		b.WriteString(string(res.Key) + " " + string(res.Outcome) + "\n")
	}
	return b.String()
}

// lines leaves out every line that has one of the words.
func lines(text string, words ...string) string {
	var b strings.Builder
next:
	for line := range strings.Lines(text) {
		for _, word := range words {
			if strings.Contains(line, word) {
				continue next
			}
		}
		b.WriteString(line)
	}
	return b.String()
}
