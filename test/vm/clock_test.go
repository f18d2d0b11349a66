package vm_test

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/test/program"
)

const (
	decade     = 10 * 365 * 24 * 3600 // seconds
	clockFile  = "/srv/clock.yaml"
	manager    = "/srv/manager"
	nowhere    = "/srv/nowhere.kubeconfig"
	ourFiles   = "sha256sum /etc/sysctl.d/zz-hostprofile.conf /var/lib/hostprofile/ledger.json"
	restSecond = 5
)

// clockProfile has a key for each time that the clock jumps, so that nobody fights for one.
const clockProfile = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: clock}
spec:
  nodeSelector: {}
  sysctls:
    - {name: vm.swappiness, value: 11}
    - {name: kernel.panic, value: 12}
    - {name: net.core.somaxconn, value: 8192}
    - {name: net.ipv4.tcp_fin_timeout, value: 31}
`

// unreachable is an API server that is not there: the agent keeps what was accepted last.
const unreachable = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
users: [{name: u, user: {}}]
current-context: c
`

// jumps are how far the clock is set each time, and what somebody changes after it.
var jumps = []struct {
	seconds           int
	path, want, other string
}{
	{decade, "vm/swappiness", "11", "60"},
	{-decade, "kernel/panic", "12", "0"},
	{-decade, "net/core/somaxconn", "8192", "4096"},
	{decade, "net/ipv4/tcp_fin_timeout", "31", "60"},
}

// clockJumps: whoever keeps the host goes on as if nothing had happened when somebody sets
// its clock, and so does every run.
func clockJumps(n *node) {
	defer n.sh("rm -f " + strings.Join([]string{clockFile, nowhere, manager}, " "))
	n.write(clockFile, clockProfile)
	n.write(nowhere, unreachable)
	file, err := program.BuildManager(n.t.Context(), n.t.TempDir())
	if err != nil {
		n.t.Fatal(err)
	}
	n.push(file, manager)
	n.bootstrap(0, with("up", "-f", clockFile)...)
	files := n.sh(ourFiles)
	for _, keeper := range [][]string{
		{remote, "run"},
		{manager, "agent", "--node-name", "vm", "--host", "/", "--kubeconfig", nowhere, "--metrics-bind", "", "--health-bind", ""},
	} {
		n.story(keeper[1], func(n *node) { n.keptWhileTheClockJumps(keeper) })
		if now := n.sh(ourFiles); now != files {
			n.t.Errorf("%s has written files:\n%s\nbefore:\n%s", keeper[1], now, files)
		}
	}
}

func (n *node) keptWhileTheClockJumps(keeper []string) {
	p, err := n.Start(n.t.Context(), keeper...)
	if err != nil {
		n.t.Fatal(err)
	}
	defer func() { _ = p.Kill() }()
	n.repaired("vm/swappiness", "60", "11") // it is at work
	for i, j := range jumps {
		n.sh(fmt.Sprintf("date -s @$(($(date +%%s) + %d))", j.seconds))
		n.repaired(j.path, j.other, j.want)
		if i == 0 {
			n.atRest(keeper[0])
		}
		if said := n.bootstrap(0, with("up")...).Stdout; !strings.Contains(said, "0 written") {
			n.t.Errorf("after a jump of %d s up says: %s", j.seconds, said)
		}
		n.bootstrap(0, "status")
	}
	if writes := strings.Count(p.Output(), "event=changed"); writes != 1+len(jumps) {
		n.t.Errorf("%s tells of %d changes, others made %d:\n%s", keeper[1], writes, 1+len(jumps), p.Output())
	}
}

// repaired changes a setting as somebody else, and wants it back within seconds.
func (n *node) repaired(path, other, want string) {
	n.t.Helper()
	r := n.run("sh", "-c", fmt.Sprintf("cd /proc/sys && echo %s >%s && for i in $(seq 100); do grep -qx %s %s && exit 0; sleep 0.1; done; exit 1", other, path, want, path))
	if r.ExitCode != 0 {
		n.t.Errorf("%s is not repaired: it is %s", path, n.sysctl(path))
	}
}

// atRest wants a program not to be busy while nothing happens.
func (n *node) atRest(program string) {
	n.t.Helper()
	spent := n.sh(fmt.Sprintf("pid=$(pgrep -o -f '^%s '); at() { awk '{print $14+$15}' /proc/$pid/stat; }; a=$(at); sleep %d; echo $(($(at) - a))", program, restSecond))
	var ticks int
	if _, err := fmt.Sscan(spent, &ticks); err != nil || ticks > restSecond*100/2 {
		n.t.Errorf("%s spent %s hundredths of a second in %d s, %v", program, spent, restSecond, err)
	}
	n.t.Logf("%s spent %s hundredths of a second in %d s at rest", program, spent, restSecond)
}
