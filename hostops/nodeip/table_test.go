package nodeip_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// row is one host and what is detected on it.
type row struct {
	name             string
	host             *host
	dual             bool
	subnets, exclude []string
	want             string // empty: an error
	reason           string // of the error
	verdicts         string // "address verdict" pairs, joined by commas
	note             string // part of a note
}

func rows() []row {
	multipath := newHost().ip("lo", "192.0.2.10/32").link("eth0").ip("eth0", "198.51.100.21/31").link("eth1").ip("eth1", "198.51.100.23/31").
		d4("eth0", "198.51.100.20", src("192.0.2.10")).d4("eth1", "198.51.100.22", src("192.0.2.10"))
	nat := func() *host {
		return newHost().link("eth0").ip("eth0", "198.51.100.15/24").link("eth1").ip("eth1", "192.0.2.12/24").d4("eth0", "198.51.100.2")
	}
	vips := newHost().link("eth0").ip("eth0", "192.0.2.2/24").ip("eth0", "192.0.2.3/24", secondary).ip("eth0", "192.0.2.10/24", secondary).d4("eth0", "192.0.2.1")
	bond := newHost().link("bond0", kind("bond")).ip("bond0", "192.0.2.10/24").d4("bond0", "192.0.2.1")
	bond.link("eth0", bond.port("bond0")).link("eth1", bond.port("bond0"))
	br := newHost().link("br0", kind("bridge")).ip("br0", "192.0.2.10/24").d4("br0", "192.0.2.1")
	br.link("eth0", br.port("br0"))
	offline := newHost().link("br0", kind("bridge")).ip("br0", "192.0.2.10/24").link("docker0", kind("bridge")).ip("docker0", "203.0.113.1/24")
	offline.link("eth0", offline.port("br0")).link("veth1", kind("veth"), offline.port("docker0"))
	vrf := eth0().link("red", kind("vrf"))
	vrf.link("eth1", vrf.port("red")).ip("eth1", "198.51.100.10/24")
	slave := eth0().link("team0", kind("team"))
	slave.link("eth1", slave.port("team0")).ip("eth1", "198.51.100.10/24")

	return []row{
		{name: "1 plain", host: eth0().d4("eth0", "192.0.2.1"), want: "192.0.2.10", verdicts: "127.0.0.1 Unreachable"},
		{name: "2 the NAT card has the default route", host: nat(), want: "198.51.100.15", verdicts: "192.0.2.12 NoDefaultRoute", note: "eth1 has 192.0.2.12, too; subnets can choose another one than 198.51.100.15"},
		{name: "3 subnets count before routes", host: nat(), subnets: []string{"192.0.2.0/24"}, want: "192.0.2.12", verdicts: "198.51.100.15 OutsideSubnets"},
		{name: "4 no default route, one address", host: eth0(), want: "192.0.2.10"},
		{name: "5 no default route, two addresses", host: two(), reason: "NodeIPAmbiguous", verdicts: "192.0.2.10 Ambiguous,198.51.100.10 Ambiguous"},
		{name: "6 only addresses that no other host can reach", host: newHost().link("eth0").ip("eth0", "169.254.7.7/16").ip("eth0", "fe80::1/64", local),
			reason: "NodeIPNotFound", verdicts: "169.254.7.7 Unreachable,fe80::1 Unreachable"},
		{name: "7 a bridge without a physical port", host: eth0().link("docker0", kind("bridge")).ip("docker0", "203.0.113.1/24"), want: "192.0.2.10", verdicts: "203.0.113.1 BridgeWithoutPort"},
		{name: "7 only a bridge without a physical port has an address", host: newHost().link("docker0", kind("bridge")).ip("docker0", "203.0.113.1/24"), want: "203.0.113.1"},
		{name: "7 of two bridges the one with a physical port", host: offline, want: "192.0.2.10", verdicts: "203.0.113.1 BridgeWithoutPort"},
		{name: "9 a bridge with the default route", host: br, want: "192.0.2.10"},
		{name: "10 a bond", host: bond, want: "192.0.2.10"},
		{name: "11 the lowest metric", host: two().d4("eth0", "192.0.2.1", m(100)).d4("eth1", "198.51.100.1", m(101)), want: "192.0.2.10", verdicts: "198.51.100.10 HigherMetric"},
		{name: "14 equal metrics", host: two().d4("eth0", "192.0.2.1", m(100)).d4("eth1", "198.51.100.1", m(100)), reason: "NodeIPAmbiguous", verdicts: "192.0.2.10 Ambiguous,198.51.100.10 Ambiguous"},
		{name: "14 equal metrics, and subnets decide", host: two().d4("eth0", "192.0.2.1", m(100)).d4("eth1", "198.51.100.1", m(100)), subnets: []string{"198.51.100.0/24"}, want: "198.51.100.10"},
		{name: "15 a VIP of one address", host: eth0().ip("eth0", "192.0.2.2/32").d4("eth0", "192.0.2.1"), want: "192.0.2.10", verdicts: "192.0.2.2 HostPrefix"},
		{name: "15 a VIP that the gateway's network does not tell apart", host: eth0().ip("eth0", "192.0.2.2/32").d4("eth0", ""), want: "192.0.2.10"},
		{name: "16 without a saved state the primary address wins", host: newHost().link("eth0").ip("eth0", "192.0.2.2/24").ip("eth0", "192.0.2.10/24", secondary).d4("eth0", "192.0.2.1"), want: "192.0.2.2", verdicts: "192.0.2.10 Secondary"},
		{name: "17 all VIPs are excluded at once", host: vips, exclude: []string{"192.0.2.2", "192.0.2.3"}, want: "192.0.2.10", verdicts: "192.0.2.2 Excluded,192.0.2.3 Excluded"},
		{name: "17 a network of VIPs is excluded", host: vips, exclude: []string{"192.0.2.0/29"}, want: "192.0.2.10"},
		{name: "17 one VIP of two is not enough", host: vips, exclude: []string{"192.0.2.2"}, reason: "NodeIPAmbiguous", verdicts: "192.0.2.3 Ambiguous,192.0.2.10 Ambiguous"},
		{name: "19 a /32 alone, as clouds have it", host: newHost().link("eth0").ip("eth0", "192.0.2.10/32").d4("eth0", "192.0.2.1"), want: "192.0.2.10"},
		{name: "20 the source of a multipath route, on lo", host: multipath, want: "192.0.2.10", verdicts: "198.51.100.21 HigherMetric"},
		{name: "24 a VPN without a default route", host: eth0().link("tailscale0", kind("tun"), bare).ip("tailscale0", "100.64.0.5/32"), want: "192.0.2.10", verdicts: "100.64.0.5 NoHardwareAddress"},
		{name: "24 subnets name the VPN", host: eth0().link("tailscale0", kind("tun"), bare).ip("tailscale0", "100.64.0.5/32"), subnets: []string{"100.64.0.0/10"}, want: "100.64.0.5"},
		{name: "26 a dummy with the default route", host: eth0().link("dummy0", kind("dummy")).ip("dummy0", "203.0.113.254/24").d4("dummy0", "", m(1000)), want: "192.0.2.10", verdicts: "203.0.113.254 VirtualLink"},
		{name: "28 IPv6 is never added", host: pair(), want: "192.0.2.10", verdicts: "2001:db8::10 OtherFamily"},
		{name: "29 a pair", host: pair(), dual: true, want: "192.0.2.10,2001:db8::10"},
		{name: "31 half a pair is none", host: eth0().d4("eth0", "192.0.2.1"), dual: true, reason: "NodeIPNotFound"},
		{name: "31 the other half is none either", host: newHost().link("eth0").ip("eth0", "2001:db8::10/64").d6("eth0"), dual: true, reason: "NodeIPNotFound"},
		{name: "32 DHCPv6 before SLAAC, temporary never", dual: true, want: "192.0.2.10,2001:db8::10",
			host:     eth0().ip("eth0", "2001:db8::aa/64", temporary).ip("eth0", "2001:db8::5054/64", slaac).ip("eth0", "2001:db8::10/128").d4("eth0", "192.0.2.1").d6("eth0"),
			verdicts: "2001:db8::aa Temporary,2001:db8::5054 Autoconfigured", note: "if it is a VIP"},
		{name: "33 a deprecated VIP", host: pair().ip("eth0", "2001:db8::2/128", deprecated), dual: true, want: "192.0.2.10,2001:db8::10", verdicts: "2001:db8::2 Deprecated"},
		{name: "33 a VIP that is not deprecated cannot be told apart", host: pair().ip("eth0", "2001:db8::2/128"), dual: true, reason: "NodeIPAmbiguous"},
		{name: "33 the source of the route tells it apart", dual: true, want: "192.0.2.10,2001:db8::10", verdicts: "2001:db8::2 NotRouteSource",
			host: eth0().ip("eth0", "2001:db8::10/64").ip("eth0", "2001:db8::2/128").d4("eth0", "192.0.2.1").d6("eth0", src("2001:db8::10"))},
		{name: "35 global before unique local", host: eth0().ip("eth0", "fd00:db8::10/64").ip("eth0", "2001:db8::10/64").d4("eth0", "192.0.2.1").d6("eth0"),
			dual: true, want: "192.0.2.10,2001:db8::10", verdicts: "fd00:db8::10 UniqueLocal", note: "fd00:db8::10, too; subnets can choose it"},
		{name: "35 subnets choose the unique local one", host: eth0().ip("eth0", "fd00:db8::10/64").ip("eth0", "2001:db8::10/64").d4("eth0", "192.0.2.1").d6("eth0"),
			dual: true, subnets: []string{"192.0.2.0/24", "fd00::/8"}, want: "192.0.2.10,fd00:db8::10"},
		{name: "37 IPv6 alone", host: newHost().link("eth0").ip("eth0", "2001:db8::10/64").d6("eth0"), reason: "NodeIPNotFound"},
		{name: "38 a default route of another table is none", host: newHost().link("priv0").ip("priv0", "192.0.2.10/24").link("pub0").ip("pub0", "203.0.113.20/32").d4("priv0", "192.0.2.1"), want: "192.0.2.10"},
		{name: "49 the control node, by the common network", host: two().d4("eth0", "192.0.2.1"), subnets: []string{"198.51.100.0/24"}, want: "198.51.100.10"},
		{name: "49 the worker", host: newHost().link("eth0").ip("eth0", "198.51.100.11/24"), subnets: []string{"198.51.100.0/24"}, want: "198.51.100.11"},
		{name: "50 the link is down", host: newHost().link("eth0", down), reason: "NodeIPNotFound"},
		{name: "50 an address of a link that is down", host: newHost().link("eth0", down).ip("eth0", "192.0.2.10/24"), reason: "NodeIPNotFound", verdicts: "192.0.2.10 LinkDown"},

		{name: "no carrier", host: two().link("eth2", noWire).ip("eth2", "203.0.113.9/24").d4("eth0", "192.0.2.1"), want: "192.0.2.10", verdicts: "203.0.113.9 NoCarrier"},
		{name: "tentative and duplicate addresses are none", host: eth0().ip("eth0", "2001:db8::1/64", tentative).ip("eth0", "2001:db8::2/64", duplicate).d4("eth0", "192.0.2.1"), dual: true,
			reason: "NodeIPNotFound", verdicts: "2001:db8::1 Tentative,2001:db8::2 Duplicate"},
		{name: "no subnet of the profile", host: two().d4("eth0", "192.0.2.1"), subnets: []string{"10.0.0.0/8"}, reason: "NodeIPNotFound", verdicts: "192.0.2.10 OutsideSubnets"},
		{name: "a veth is the card of a node in a container", host: newHost().link("host0", kind("veth")).ip("host0", "192.0.2.10/24").d4("host0", "192.0.2.1"), want: "192.0.2.10"},
		{name: "interfaces of pods never", host: eth0().link("cilium_host", kind("veth")).ip("cilium_host", "10.0.0.1/32").link("lxc1", kind("veth")).ip("lxc1", "10.0.0.2/32").d4("cilium_host", ""),
			want: "192.0.2.10", verdicts: "10.0.0.1 not listed,10.0.0.2 not listed"},
		{name: "a member of a VRF", host: vrf, want: "192.0.2.10", verdicts: "198.51.100.10 InVRF"},
		{name: "a slave", host: slave, want: "192.0.2.10", verdicts: "198.51.100.10 Enslaved"},
		{name: "a usable source is needed", host: eth0().d4("eth0", "192.0.2.1", src("192.0.2.77")), want: "192.0.2.10"},
		{name: "an excluded source does not win", host: eth0().ip("eth0", "192.0.2.2/32").d4("eth0", "192.0.2.1", src("192.0.2.2")), exclude: []string{"192.0.2.2"}, want: "192.0.2.10"},
		{name: "sources of equal routes that differ", host: two().d4("eth0", "192.0.2.1", src("192.0.2.10")).d4("eth1", "198.51.100.1", src("198.51.100.10")), reason: "NodeIPAmbiguous"},
		{name: "two networks on one link: that of the gateway", host: eth0().ip("eth0", "10.1.1.1/8").d4("eth0", "192.0.2.1"), want: "192.0.2.10", verdicts: "10.1.1.1 OtherNetwork"},
		{name: "IPv6 without a metric is 1024", dual: true, want: "192.0.2.10,2001:db8:1::1",
			host: newHost().link("eth0").ip("eth0", "192.0.2.10/24").link("eth1").ip("eth1", "2001:db8:1::1/64").link("eth2").ip("eth2", "2001:db8:2::1/64").
				d4("eth0", "192.0.2.1").d6("eth1", m(1000)).d6("eth2")},
		{name: "the second family is on the link of the first, whatever its route", dual: true, want: "192.0.2.10,fd00::10",
			host: eth0().ip("eth0", "fd00::10/64").link("eth1").ip("eth1", "2001:db8::10/64").d4("eth0", "192.0.2.1").d6("eth1")},
		{name: "the second family leaves by the first one's route", dual: true, want: "192.0.2.10,2001:db8::21",
			host: newHost().ip("lo", "192.0.2.10/32").link("eth0").ip("eth0", "2001:db8::21/64").link("eth1").ip("eth1", "2001:db8:1::1/64").
				d4("eth0", "", src("192.0.2.10")).d6("eth1")},
		{name: "no route, two addresses of one network", host: eth0().ip("eth0", "192.0.2.11/24", secondary), reason: "NodeIPAmbiguous"},
	}
}

func (r *row) wish(t *testing.T) *nodeip.Wish {
	t.Helper()
	return &nodeip.Wish{DualStack: r.dual, Subnets: prefixes(t, r.subnets...), Exclude: prefixes(t, r.exclude...)}
}

func TestDetection(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			d, err := nodeip.Detect(&r.host.Snapshot, r.wish(t))
			if d.String() != r.want {
				t.Errorf("chooses %q, want %q (%v)", d.String(), r.want, err)
			}
			if reason := reasonOf(err); reason != r.reason {
				t.Errorf("reason %q, want %q", reason, r.reason)
			}
			if r.verdicts != "" {
				for _, pair := range strings.Split(r.verdicts, ",") {
					ip, want, _ := strings.Cut(pair, " ")
					if got := verdictOf(&d, ip); string(got) != want {
						t.Errorf("%s is %s, want %s", ip, got, want)
					}
				}
			}
			for _, c := range d.Candidates {
				if c.Verdict == "" || c.Why == "" {
					t.Errorf("%s has no verdict", c.Address)
				}
			}
			if !strings.Contains(strings.Join(d.Notes, "\n"), r.note) {
				t.Errorf("notes %q", d.Notes)
			}
		})
	}
}

func reasonOf(err error) string {
	var e *nodeip.DetectionError
	if errors.As(err, &e) {
		return string(e.Reason)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// TestTheOrderOfTheKernelNeverMatters: links, addresses and routes in any order give the
// same answer with the same evidence. Indexes are given anew, too: they are no more than
// the order in which links appeared.
func TestTheOrderOfTheKernelNeverMatters(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			want := describe(&r.host.Snapshot, r.wish(t))
			for range 200 {
				s := shuffled(random, &r.host.Snapshot)
				if got := describe(&s, r.wish(t)); !reflect.DeepEqual(got, want) {
					t.Fatalf("another order gives\n%s\nnot\n%s", got, want)
				}
			}
		})
	}
}

func describe(s *machine.Snapshot, w *nodeip.Wish) string {
	d, err := nodeip.Detect(s, w)
	var b strings.Builder
	fmt.Fprintf(&b, "%s on %v: %v, %v %v\n", d.String(), d.Links, err, d.Notes, d.Provisional)
	for _, c := range d.Candidates {
		fmt.Fprintf(&b, "%s %s %s %s\n", c.Address, c.Link, c.Verdict, c.Why)
	}
	return b.String()
}

func shuffled(random *rand.Rand, s *machine.Snapshot) machine.Snapshot {
	index := map[int]int{0: 0}
	for i, n := range random.Perm(len(s.Links)) {
		index[s.Links[i].Index] = n + 1
	}
	var out machine.Snapshot
	for _, i := range random.Perm(len(s.Links)) {
		l := s.Links[i]
		l.Index, l.Master = index[l.Index], index[l.Master]
		out.Links = append(out.Links, l)
	}
	for _, i := range random.Perm(len(s.Addresses)) {
		a := s.Addresses[i]
		a.Link = index[a.Link]
		out.Addresses = append(out.Addresses, a)
	}
	for _, i := range random.Perm(len(s.Routes)) {
		r := s.Routes[i]
		r.Link = index[r.Link]
		out.Routes = append(out.Routes, r)
	}
	return out
}
