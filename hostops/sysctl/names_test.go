package sysctl_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func TestNamesAndPaths(t *testing.T) {
	for _, c := range []struct{ name, path string }{
		{"kernel.pid_max", "kernel/pid_max"},
		{"net.ipv4.conf.eth0/10.rp_filter", "net/ipv4/conf/eth0.10/rp_filter"},
		{"net.ipv4.conf.lxc*.rp_filter", "net/ipv4/conf/lxc*/rp_filter"},
		{"net.ipv6.neigh.a/b/c.gc_stale_time", "net/ipv6/neigh/a.b.c/gc_stale_time"},
	} {
		n, err := sysctl.ParseName(c.name)
		if err != nil || n.Path() != c.path {
			t.Errorf("ParseName(%q).Path() = %q, %v", c.name, n.Path(), err)
		}
		back, err := sysctl.FromPath(c.path)
		if err != nil || back != n {
			t.Errorf("FromPath(%q) = %q, %v", c.path, back, err)
		}
	}
}

func TestSlashFirstNameIsRefusedAndTheOtherSpellingOffered(t *testing.T) {
	_, err := sysctl.ParseName("net/ipv4/conf/eth0.10/rp_filter")
	if err == nil || !strings.Contains(err.Error(), "net.ipv4.conf.eth0/10.rp_filter") {
		t.Errorf("error %v", err)
	}
}

func TestNamesThatAreNone(t *testing.T) {
	for _, s := range []string{
		"", "pid_max", ".", "..", "a..b", ".a.b", "a.b.", "a./.b", "a.//.b", "kernel./../x", "/etc/passwd",
		"kernel.a b", "kernel.a\nb", "kernel.a=b", "kernel.a#b", "kernel.\x00", "kernel.ä", "net.ipv4.tcp_*", "net.*.conf.eth0.tag", "*.pid_max",
		"net.ipv4.conf.eth0.*",
	} {
		if n, err := sysctl.ParseName(s); err == nil {
			t.Errorf("ParseName(%q) = %q", s, n)
		}
	}
}

func TestInFilesTheFirstSeparatorDecides(t *testing.T) {
	for text, path := range map[string]string{
		"net.ipv4.conf.eth0/10.rp_filter": "net/ipv4/conf/eth0.10/rp_filter",
		"net/ipv4/conf/eth0.10/rp_filter": "net/ipv4/conf/eth0.10/rp_filter",
		"net.ipv4.conf.eth0.10.rp_filter": "net/ipv4/conf/eth0/10/rp_filter",
		"kernel/domainname":               "kernel/domainname",
		"net..ipv4...ip_forward":          "net/ipv4/ip_forward",
		"//net///ipv4/ip_forward":         "net/ipv4/ip_forward",
		"net/ipv4/conf/a..b/rp_filter":    "net/ipv4/conf/a..b/rp_filter",
	} {
		if n, err := sysctl.ParseFileName(text); err != nil || n.Path() != path {
			t.Errorf("ParseFileName(%q) = %q, %v", text, n.Path(), err)
		}
	}
}

func TestNamesOfOneVariableAreOneItem(t *testing.T) {
	for _, names := range [][]sysctl.Name{
		{"net.ipv4.ip_forward", "net.ipv4.conf.all.forwarding"},
		{"net.netfilter.nf_conntrack_max", "net.nf_conntrack_max"},
		{"fs.inotify.max_user_instances", "user.max_inotify_instances"},
		{"vm.dirty_ratio", "vm.dirty_bytes"},
		{"net.ipv4.neigh.eth0/1.base_reachable_time_ms", "net.ipv4.neigh.eth0/1.base_reachable_time"},
	} {
		for _, n := range names {
			if k := sysctl.Key(n); k != item.NewKey(item.Sysctl, string(names[0])) {
				t.Errorf("Key(%s) = %s", n, k)
			}
		}
	}
	if sysctl.Key("net.ipv4.conf.default.forwarding") == sysctl.Key("net.ipv4.ip_forward") {
		t.Error("default is another variable")
	}
}

// TestAliasesReadTheSame holds the table against the kernel that runs the tests.
func TestAliasesReadTheSame(t *testing.T) {
	proc := realMachine().Proc
	for _, pair := range [][2]sysctl.Name{
		{"net.ipv4.ip_forward", "net.ipv4.conf.all.forwarding"},
		{"net.netfilter.nf_conntrack_max", "net.nf_conntrack_max"},
		{"vm.nr_hugepages", "vm.nr_hugepages_mempolicy"},
		{"fs.inotify.max_user_instances", "user.max_inotify_instances"},
		{"fs.inotify.max_user_watches", "user.max_inotify_watches"},
		{"fs.fanotify.max_user_groups", "user.max_fanotify_groups"},
		{"fs.fanotify.max_user_marks", "user.max_fanotify_marks"},
		{"net.ipv4.neigh.lo.retrans_time_ms", "net.ipv4.neigh.lo.retrans_time"},
		{"net.ipv4.neigh.lo.base_reachable_time_ms", "net.ipv4.neigh.lo.base_reachable_time"},
	} {
		a, errA := proc.ReadSysctl(pair[0].Path())
		b, errB := proc.ReadSysctl(pair[1].Path())
		if errA != nil || errB != nil {
			continue // this kernel, or this namespace, lacks one
		}
		if sysctl.Value(pair[0], a) != sysctl.Value(pair[1], b) {
			t.Errorf("%s is %s, %s is %s", pair[0], a, pair[1], b)
		}
	}
}

func TestInterfaceElement(t *testing.T) {
	for n, want := range map[sysctl.Name]string{
		"net.ipv4.conf.eth0/10.rp_filter": "eth0.10",
		"net.mpls.conf.eth0.input":        "eth0",
		"net.ipv4.conf.all.rp_filter":     "",
		"net.ipv6.conf.default.accept_ra": "",
		"net.ipv4.conf.eth*.rp_filter":    "",
		"net.ipv4.route.a.b":              "",
		"kernel.pid_max":                  "",
	} {
		if link, ok := n.Interface(); link != want || ok != (want != "") {
			t.Errorf("%s: interface %q, %v", n, link, ok)
		}
	}
}

func FuzzParseName(f *testing.F) {
	for _, s := range []string{"kernel.pid_max", "net.ipv4.conf.eth0/10.rp_filter", "net/ipv4/x", "a./../b", "net.ipv4.conf.*.tag", "..", "a.b\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, parse := range []func(string) (sysctl.Name, error){sysctl.ParseName, sysctl.ParseFileName, sysctl.FromPath} {
			n, err := parse(s)
			if err != nil {
				continue
			}
			for _, e := range strings.Split(n.Path(), "/") {
				if e == "" || e == "." || e == ".." {
					t.Errorf("%q leaves /proc/sys as %q", s, n.Path())
				}
			}
			if strings.ContainsAny(n.Path(), " \n\t=#") {
				t.Errorf("%q breaks a line as %q", s, n.Path())
			}
			if again, err := sysctl.FromPath(n.Path()); err != nil || again != n {
				t.Errorf("%q: path %q gives %q, %v", s, n.Path(), again, err)
			}
			if again, err := sysctl.NameOf(sysctl.Key(n)); err != nil || sysctl.Key(again) != sysctl.Key(n) {
				t.Errorf("%q: key %s gives %q, %v", s, sysctl.Key(n), again, err)
			}
		}
	})
}
