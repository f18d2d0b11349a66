package boot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestMain(m *testing.M) {
	code := m.Run()
	program.RemoveShared()
	os.Exit(code)
}

// node is a host with bootstrap and a stand-in for kubelet.
type node struct {
	testbed.Host
	t *testing.T
}

// settle puts our program and the stand-in on a host.
func settle(t *testing.T, h testbed.Host) *node {
	t.Helper()
	n := &node{h, t}
	file, err := program.Shared()
	if err != nil {
		t.Fatal(err)
	}
	if err := n.Push(t.Context(), file, remote, 0o755); err != nil {
		t.Fatal(err)
	}
	n.write(look, lookScript)
	n.write("/etc/systemd/system/kubelet.service", kubelet)
	n.sh("systemctl daemon-reload && systemctl enable -q kubelet")
	return n
}

// story tells one story on the node.
func (n *node) story(name string, tell func(*node)) {
	n.t.Helper()
	n.t.Run(name, func(t *testing.T) { tell(&node{n.Host, t}) })
}

// write makes a file on the node.
func (n *node) write(path, content string) {
	n.t.Helper()
	local := filepath.Join(n.t.TempDir(), "content")
	if err := os.WriteFile(local, []byte(content), 0o644); err != nil {
		n.t.Fatal(err)
	}
	if err := n.Push(n.t.Context(), local, path, 0o644); err != nil {
		n.t.Fatal(err)
	}
}

// run runs a line of shell that may end with any code.
func (n *node) run(line string) testbed.Result {
	n.t.Helper()
	r, err := n.Run(n.t.Context(), "sh", "-c", line)
	if err != nil {
		n.t.Fatal(err)
	}
	return r
}

// sh runs a line of shell that must end well, and returns what it printed.
func (n *node) sh(line string) string {
	n.t.Helper()
	return testbed.Output(n.t, n.Host, "sh", "-c", line)
}

// is wants a line of shell to print a text.
func (n *node) is(line, want string) {
	n.t.Helper()
	if got := n.sh(line); got != want {
		n.t.Errorf("%s prints %q, want %q", line, got, want)
	}
}

// until waits for a line of shell to end well.
func (n *node) until(line string) {
	n.t.Helper()
	if r := n.run("timeout 120 sh -c 'until " + line + "; do sleep 0.2; done'"); r.ExitCode != 0 {
		n.t.Fatalf("it does not come that %s: %s", line, n.explain())
	}
}

// explain is what a person would look at first.
func (n *node) explain() string {
	return n.run("systemctl status --no-pager -l hostprofile kubelet; journalctl -b --no-pager -u hostprofile -u kubelet | tail -40").Stdout
}

// bootstrap runs our program, which must end with the code.
func (n *node) bootstrap(code int, args string) string {
	n.t.Helper()
	r := n.run(remote + " " + args)
	if r.ExitCode != code {
		n.t.Fatalf("bootstrap %s ends with %d, want %d:\n%s%s", args, r.ExitCode, code, r.Stdout, r.Stderr)
	}
	return r.Stdout
}

func (n *node) reboot() {
	n.t.Helper()
	if err := n.Reboot(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
}

// saw is what kubelet found when it started in this boot; empty if it did not start.
func (n *node) saw() string {
	n.t.Helper()
	return n.run("cat " + seen + "/$(cat /proc/sys/kernel/random/boot_id) 2>/dev/null").Stdout
}

// mustHaveSeen wants kubelet to have started, and to have found each of the lines.
func (n *node) mustHaveSeen(lines ...string) {
	n.t.Helper()
	saw := n.saw()
	if saw == "" {
		n.t.Fatalf("kubelet did not start: %s", n.explain())
	}
	for _, want := range lines {
		if !strings.Contains("\n"+saw, "\n"+want+"\n") {
			n.t.Errorf("kubelet did not see %q but:\n%s", want, saw)
		}
	}
}

// kill kills the process of the unit again and again, each time once systemd has started
// it anew, and wants the unit to outlive that.
func (n *node) kill(times int) {
	n.t.Helper()
	began := time.Now()
	n.sh(fmt.Sprintf(`mkdir -p /run/systemd/system/hostprofile.service.d
printf '[Service]\nRestartSec=10ms\n' >/run/systemd/system/hostprofile.service.d/test.conf
systemctl daemon-reload
last=0
for i in $(seq %d); do
	until pid=$(systemctl show -P MainPID hostprofile) && test $pid != 0 && test $pid != $last; do sleep 0.05; done
	kill -KILL $pid; last=$pid
done
rm -r /run/systemd/system/hostprofile.service.d; systemctl daemon-reload`, times))
	n.t.Logf("%d kills took %v", times, time.Since(began).Round(time.Second/10))
	n.until("test $(systemctl show -P MainPID hostprofile) != 0")
	if got, err := strconv.Atoi(n.sh("systemctl show -P NRestarts hostprofile")); got < times || err != nil {
		n.t.Errorf("it was started again %d times after %d kills: %v", got, times, err)
	}
}
