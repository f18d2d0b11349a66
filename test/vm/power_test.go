package vm_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// cuts are moments in the middle of up. strace holds the run at its first such call, and
// the power is cut once a command on the host says that it got there.
var cuts = []struct{ name, call, path, there string }{
	{
		"when the record is new and the boot file has no name yet", "renameat", "/etc/sysctl.d",
		"ls /etc/sysctl.d/.zz-hostprofile.conf.*",
	},
	{
		"when the boot file is new and no setting is live", "pwrite64", "/proc/sys/net/ipv4/ip_forward",
		"test -e /etc/sysctl.d/zz-hostprofile.conf",
	},
	{
		"when settings are live and swap is still on", "swapoff", "",
		"grep -qx 1 /proc/sys/net/ipv4/ip_forward",
	},
}

// TestPowerCuts tells that a host whose power is cut in the middle of up is brought to
// what is wished by the next up, and can still be given back.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	n := start(t, testbed.VMOptions{SwapDisk: 64})
	before := n.snapshot()
	k := &killing{node: n, off: n.sh(look)}
	n.up()
	k.on = n.sh(look)
	n.down()
	for _, c := range cuts {
		n.story(c.name, func(n *node) {
			n.sh("sync")
			n.cut(c.call, c.path, c.there)
			r := &killing{node: n, off: k.off, on: k.on}
			r.converges()
			n.down()
		})
	}
	n.reboot()
	n.asBefore(before)
}

// cut cuts the power while up is held, and boots again.
func (n *node) cut(call, path, there string) {
	n.t.Helper()
	argv := []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=" + call + ":delay_enter=600s"}
	if path != "" {
		argv = append(argv, "-P", path)
	}
	run, err := n.Start(n.t.Context(), append(append(argv, remote), with("up", everything...)...)...)
	if err != nil {
		n.t.Fatal(err)
	}
	n.sh("until " + there + " 2>/dev/null; do sleep 0.1; done >/dev/null")
	if err := n.Kill(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
	if r, err := run.Wait(); err == nil {
		n.t.Fatalf("up was not cut off, it ended with %d: %s", r.ExitCode, run.Output())
	}
	if err := n.Boot(n.t.Context()); err != nil {
		n.t.Fatal(err)
	}
	left := n.sh("ls -A /var/lib/hostprofile /etc/sysctl.d/zz-hostprofile.conf 2>/dev/null; true")
	n.t.Logf("after the boot there is %s", strings.Join(strings.Fields(left), " "))
}
