package vm_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestRuns tells what single runs do, each on the host as it was before.
func TestRuns(t *testing.T) {
	t.Parallel()
	n := start(t, testbed.VMOptions{SwapDisk: 128})
	n.sh("modprobe -a br_netfilter overlay nf_conntrack") // modules stay, and are told elsewhere
	before := n.snapshot()
	for _, s := range []struct {
		name string
		tell func(*node)
	}{
		{"a bare host passes its check", bareHostPasses},
		{"the second up writes nothing", secondUpWritesNothing},
		{"one key of forty that does not exist leaves the others in force", oneKeyOfForty},
		{"bad input changes nothing", badInputChangesNothing},
		{"two runs at once do not interleave", twoRunsAtOnce},
		{"a clock that jumps ten years changes nothing", clockJumps},
	} {
		n.story(s.name, func(n *node) {
			s.tell(n)
			n.bootstrap(0, "down", "--yes", "--purge")
			n.asBefore(before)
		})
	}
}

// bareHostPasses: what the check says of swap is what up mends.
func bareHostPasses(n *node) {
	said := n.bootstrap(0, "check", "--profile", "kubernetes", "--profile", "cilium", "--profile", "kubelet-defaults").Stdout
	for _, want := range []string{"cgroup v2 with cpu, memory, pids", "FAIL  swap", "hostname     hostprofile-vm", "will mend: swap"} {
		if !strings.Contains(said, want) {
			n.t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
}

func secondUpWritesNothing(n *node) {
	args := with("up", everything...)
	// The first run shows that a write would be seen.
	if first, _ := n.traced(args...); len(first) < 20 {
		n.t.Errorf("the first run made only %d changes:\n%s", len(first), strings.Join(first, "\n"))
	}
	for _, again := range [][]string{args, {"up"}} {
		changes, said := n.traced(again...)
		for _, line := range changes {
			n.t.Errorf("the second run wrote: %s", line)
		}
		if !strings.Contains(said, "Nothing to do") || !strings.Contains(said, "0 written") {
			n.t.Errorf("it does not say that it wrote nothing: %s", said)
		}
	}
}

// switches are settings of an interface that are 0 or 1, none of which cuts it off.
var switches = []string{
	"arp_accept", "arp_filter", "arp_notify", "bootp_relay", "disable_policy", "disable_xfrm", "drop_gratuitous_arp",
	"ignore_routes_with_linkdown", "log_martians", "proxy_arp", "proxy_arp_pvlan", "send_redirects", "shared_media",
}

func oneKeyOfForty(n *node) {
	want := n.opposites()
	const bad = "net/ipv4/conf/eth0/no_such_key"
	var b strings.Builder
	b.WriteString("apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: forty}\nspec:\n  nodeSelector: {}\n  sysctls:\n")
	for path, value := range want {
		fmt.Fprintf(&b, "    - {name: %s, value: %s}\n", dotted(path), value)
	}
	fmt.Fprintf(&b, "    - {name: %s, value: 1}\n", dotted(bad))
	n.write("/srv/forty.yaml", b.String())
	defer n.sh("rm /srv/forty.yaml")
	d := n.document(1, "up", "-f", "/srv/forty.yaml", "--no-unit")
	n.badKeyIsReported(&d, bad)
	for path := range want {
		if i := d.item(n.t, "sysctl/"+dotted(path)); i.Outcome != "Changed" && i.Outcome != "Adopted" {
			n.t.Errorf("%s: %+v", path, i)
		}
	}
	for path, have := range n.sysctls(slices.Collect(maps.Keys(want))) {
		if have != want[path] {
			n.t.Errorf("%s is %s, want %s", path, have, want[path])
		}
	}
	said := n.bootstrap(1, "up").Stdout
	if !strings.Contains(said, "1 failed") || !strings.Contains(said, "KeyNotFound") || !strings.Contains(said, "want 1") {
		n.t.Errorf("a person reads:\n%s", said)
	}
}

// opposites are 39 settings of interfaces, each with what it is not now.
func (n *node) opposites() map[string]string {
	var paths []string
	for _, link := range []string{"default", "eth0", "lo"} {
		for _, s := range switches {
			paths = append(paths, "net/ipv4/conf/"+link+"/"+s)
		}
	}
	want := n.sysctls(paths)
	for path, have := range want {
		want[path] = "1"
		if have == "1" {
			want[path] = "0"
		}
	}
	return want
}

func (n *node) badKeyIsReported(d *document, path string) {
	n.t.Helper()
	i := d.item(n.t, "sysctl/"+dotted(path))
	if i.Outcome != "Unknown" || i.Reason != "KeyNotFound" || text(i.Want) != "1" || i.Have != nil || i.Message == "" {
		n.t.Errorf("the item says outcome %s, reason %s, want %s, have %s: %s", i.Outcome, i.Reason, text(i.Want), text(i.Have), i.Message)
	}
	if len(d.Errors) != 1 || d.Errors[0].Object != "sysctl/"+dotted(path) || d.Errors[0].Reason != "KeyNotFound" || d.Result != "Failed" {
		n.t.Errorf("result %s, errors %+v", d.Result, d.Errors)
	}
}

func dotted(path string) string { return strings.ReplaceAll(path, "/", ".") }
