package v1alpha1_test

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

func TestVLANInterfaceIsWrittenWithASlashForItsDot(t *testing.T) {
	name, err := v1alpha1.ParseSysctlName("net.ipv4.conf.eth0/100.rp_filter")
	if err != nil {
		t.Fatal(err)
	}
	if name.Path() != "net/ipv4/conf/eth0.100/rp_filter" || name.Interface != 3 || name.Elements[3] != "eth0.100" {
		t.Errorf("have %+v", name)
	}
	if name.String() != "net.ipv4.conf.eth0/100.rp_filter" || name.IsPattern() {
		t.Errorf("have %s", name)
	}
}

func TestVLANInterfaceOfASlashFirstNameIsOfferedInTheDottedForm(t *testing.T) {
	_, err := v1alpha1.ParseSysctlName("net/ipv4/conf/eth0.10/rp_filter")
	if err == nil {
		t.Fatal("not refused")
	}
	if _, hint := v1alpha1.MessageAndHint(err.Error()); hint != "write net.ipv4.conf.eth0/10.rp_filter" {
		t.Errorf("have %q", hint)
	}
}

func TestOnlySomeNamesHaveAnInterface(t *testing.T) {
	for _, c := range []struct {
		name string
		want int
	}{
		{"net.ipv4.ip_forward", -1}, {"net.ipv4.conf.all.forwarding", 3}, {"net.ipv6.conf.eth0.accept_ra", 3},
		{"net.ipv4.neigh.default.gc_thresh1", 3}, {"net.ipv6.neigh.eth0.mcast_solicit", 3}, {"net.mpls.conf.lo.input", 3},
		{"net.ipv4.route.flush", -1}, {"net.ipv4.conf", -1}, {"fs.inotify.max_user_watches", -1},
	} {
		name, err := v1alpha1.ParseSysctlName(c.name)
		if err != nil || name.Interface != c.want {
			t.Errorf("%s: have %d, %v", c.name, name.Interface, err)
		}
	}
}

func TestTwoNamesOfOneKernelVariableHaveOneCanonicalName(t *testing.T) {
	for name, want := range map[string]string{
		"net.ipv4.conf.all.forwarding":     "net.ipv4.ip_forward",
		"net.ipv4.ip_forward":              "net.ipv4.ip_forward",
		"net.nf_conntrack_max":             "net.netfilter.nf_conntrack_max",
		"net.ipv6.conf.all.forwarding":     "net.ipv6.conf.all.forwarding",
		"net.ipv4.conf.default.forwarding": "net.ipv4.conf.default.forwarding",
	} {
		if have := must(v1alpha1.ParseSysctlName(name)).Canonical().String(); have != want {
			t.Errorf("%s: have %s, want %s", name, have, want)
		}
	}
}

func TestPrintingANameDoesNotChangeIt(t *testing.T) {
	name := must(v1alpha1.ParseSysctlName("net.ipv4.conf.eth0/1.rp_filter"))
	_ = name.String()
	if name.Elements[3] != "eth0.1" {
		t.Errorf("String changed the name: %v", name.Elements)
	}
}

func FuzzValidateName(f *testing.F) {
	for _, seed := range []string{"net.ipv4.ip_forward", "net.ipv4.conf.eth0/100.rp_filter", "net.ipv4.conf.lxc*.rp_filter", "net/ipv4/ip_forward",
		"/proc/sys/net/ipv4/ip_forward", "a.b", "net...x", "net.ipv4.conf.//.rp_filter", "net.ipv4.conf.?*.x", "kernel.core_pattern", "-a.b", "a.b\n", "net.ipv4.conf.**.x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, err := v1alpha1.ParseSysctlName(text)
		if err != nil {
			if message, _ := v1alpha1.MessageAndHint(err.Error()); message == "" || len(err.Error()) > 400 {
				t.Fatalf("%q is refused with %q", text, err)
			}
			return
		}
		if name.String() != text {
			t.Fatalf("%q was understood as %q", text, name)
		}
		if below := name.Path(); !filepath.IsLocal(below) || path.Clean(below) != below || strings.ContainsAny(below, "\n\x00 =#;+") {
			t.Fatalf("%q leads to %q", text, below)
		}
		if name.IsPattern() {
			for _, reserved := range []string{"all", "default", "lo"} {
				if v1alpha1.MatchInterface(name.Elements[name.Interface], reserved) {
					t.Fatalf("%q matches %s", text, reserved)
				}
			}
		}
	})
}

func TestMatchInterface(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"lxc*", "lxc", true}, {"lxc*", "lxcabc", true}, {"lxc*", "eth0", false}, {"eth?", "eth0", true}, {"eth?", "eth", false}, {"eth?", "eth10", false},
		{"*_host", "cilium_host", true}, {"*_host", "cilium_net", false}, {"a*b*c", "axxbyyc", true}, {"a*b*c", "axxbyy", false},
		{"eth0", "eth0", true}, {"eth0", "eth0.1", false}, {"eth0.*", "eth0.1", true}, {"eth0.*", "eth0x1", false}, {"*", "", true}, {"?", "", false},
	} {
		if have := v1alpha1.MatchInterface(c.pattern, c.name); have != c.want {
			t.Errorf("%q on %q: have %t", c.pattern, c.name, have)
		}
	}
}

func FuzzMatchInterfaceAgreesWithARegularExpression(f *testing.F) {
	f.Add("lxc*", "lxc1")
	f.Add("a*b?c*", "aabbcc")
	f.Add("***?", "x")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > 40 || strings.ContainsFunc(pattern+name, func(r rune) bool { return r > '~' || r < ' ' }) {
			return
		}
		quoted := regexp.QuoteMeta(pattern)
		quoted = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(quoted)
		if want := regexp.MustCompile(`^` + quoted + `$`).MatchString(name); v1alpha1.MatchInterface(pattern, name) != want {
			t.Fatalf("%q on %q: want %t", pattern, name, want)
		}
	})
}
