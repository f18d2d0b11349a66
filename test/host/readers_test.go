package host_test

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// readers are the programs that read sysctl.d at boot or when asked to.
var readers = map[string][]string{
	"sysctl -p":       {"sysctl", "-p", dropIn},
	"sysctl --system": {"sysctl", "--system"},
	"systemd-sysctl":  {"/usr/lib/systemd/systemd-sysctl"},
}

// links are the interfaces of every sandbox: the second has a dot in its name.
const links = "ip link add eth0 type veth peer name eth0.100; ip link add lxcA type veth peer name lxcB; ip link add other type veth peer name other2"

// wishes are entries of all shapes.
var wishes = []string{
	"{name: net.ipv4.ip_forward, value: 1}",
	"{name: net.ipv4.conf.all.accept_redirects, value: 0}",
	"{name: net.ipv4.conf.default.rp_filter, value: 2}",
	"{name: net.ipv4.conf.eth0.rp_filter, value: 1}",
	"{name: net.ipv4.conf.eth0/100.rp_filter, value: 2}",
	"{name: net.ipv4.conf.eth0/100.send_redirects, value: 0}",
	"{name: net.ipv4.conf.lxc*.rp_filter, value: 0}",
	"{name: net.ipv4.tcp_rmem, value: '4096 87380 5291456'}",
	"{name: net.ipv4.ip_local_port_range, value: '20000 50999'}",
	"{name: net.ipv4.tcp_fin_timeout, value: 31}",
	"{name: net.ipv6.conf.all.forwarding, value: 1}",
	"{name: net.ipv6.conf.eth0/100.accept_ra, value: 2}",
	"{name: net.ipv6.neigh.eth0/100.gc_stale_time, value: 61}",
}

// seen are the keys that the wishes are about, and one that no wish names.
var seen = []string{
	"net/ipv4/ip_forward", "net/ipv4/conf/all/accept_redirects", "net/ipv4/conf/default/rp_filter", "net/ipv4/conf/eth0/rp_filter",
	"net/ipv4/conf/eth0.100/rp_filter", "net/ipv4/conf/eth0.100/send_redirects", "net/ipv4/conf/lxcA/rp_filter", "net/ipv4/conf/lxcB/rp_filter",
	"net/ipv4/tcp_rmem", "net/ipv4/ip_local_port_range", "net/ipv4/tcp_fin_timeout", "net/ipv6/conf/all/forwarding",
	"net/ipv6/conf/eth0.100/accept_ra", "net/ipv6/neigh/eth0.100/gc_stale_time",
}

func (b *box) values() map[string]string {
	b.t.Helper()
	values := map[string]string{}
	for line := range strings.Lines(b.sh("cd /proc/sys && grep '' /dev/null " + strings.Join(seen, " "))) {
		path, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		values[path] = value
	}
	return values
}

func TestTheReadersOfSysctlDSetWhatUpSets(t *testing.T) {
	ours := newBox(t)
	ours.sh(links)
	ours.up(0, wishes...)
	want := ours.values()
	content := ours.run("cat", dropIn).Stdout
	for name, argv := range readers {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skipf("this machine has no %s", argv[0])
			}
			b := newBox(t)
			b.sh(links)
			if n := differing(b.values(), want); len(n) < len(seen)/2 {
				t.Fatalf("before the reader runs only %v are not as wished", n)
			}
			b.write(dropIn, content)
			b.run(argv...) // its exit status is about lines of other files
			got := b.values()
			for _, key := range differing(got, want) {
				t.Errorf("%s is %q, and up sets %q", key, got[key], want[key])
			}
		})
	}
}

func differing(a, b map[string]string) []string {
	return slices.Sorted(maps.Keys(maps.Collect(func(yield func(string, bool) bool) {
		for k := range b {
			if a[k] != b[k] && !yield(k, true) {
				return
			}
		}
	})))
}

func TestTheDropInIsInTheGrammarThatAllReadersShare(t *testing.T) {
	b := newBox(t)
	b.sh(links)
	b.up(0, wishes...)
	content := b.run("cat", dropIn).Stdout
	if !strings.HasSuffix(content, "\n") || strings.Contains(content, "\r") {
		t.Errorf("lines do not end with a line feed: %q", content)
	}
	for line := range strings.Lines(content) {
		line = strings.TrimSuffix(line, "\n")
		key, value, ok := strings.Cut(line, " = ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case !ok || strings.ContainsAny(key, " \t") || value == "" || value != strings.TrimSpace(value):
			t.Errorf("not of the form key = value: %q", line)
		}
	}
	if kind := b.sh("stat -c '%F %a %u:%g %h' " + dropIn); kind != "regular file 644 0:0 1" {
		t.Errorf("the file is a %s", kind)
	}
}
