package contract

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// defaults is how net/ipv4/conf/default reaches interfaces.
var defaults = []sentence{
	{"a write is copied to an interface on which the key was never set", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v4+"default/rp_filter", "2")
		reads(t, m, v4+"x0/rp_filter", "2")
		reads(t, m, v4+"lo/rp_filter", "2")
	}},
	{"a key that was set is left alone, even when set to what it was", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v4+"x0/rp_filter", "0")
		set(t, m, v4+"default/rp_filter", "2")
		reads(t, m, v4+"x0/rp_filter", "0")
	}},
	{"a new interface takes the default's values", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v4+"default/rp_filter", "2")
		set(t, m, v6+"default/accept_ra", "0")
		w.AddLink("x0")
		reads(t, m, v4+"x0/rp_filter", "2")
		reads(t, m, v6+"x0/accept_ra", "0")
	}},
	{"a default that was set reaches no interface made after that", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v4+"default/rp_filter", "2")
		w.AddLink("x0")
		set(t, m, v4+"default/rp_filter", "1")
		reads(t, m, v4+"x0/rp_filter", "2")
		reads(t, m, v4+"lo/rp_filter", "1")
	}},
	{"an address on an interface means that all its keys were set", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddAddress("x0", "192.0.2.1/24")
		set(t, m, v4+"default/rp_filter", "2")
		reads(t, m, v4+"x0/rp_filter", "0")
		reads(t, m, v4+"lo/rp_filter", "2")
	}},
	{"all is not copied", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v4+"all/rp_filter", "2")
		reads(t, m, v4+"lo/rp_filter", "0")
		reads(t, m, v4+"default/rp_filter", "0")
	}},
	{"keys that flush the route cache are never copied", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		for _, key := range []string{"promote_secondaries", "route_localnet", "disable_policy", "disable_xfrm", "drop_unicast_in_l2_multicast"} {
			set(t, m, v4+"default/"+key, "1")
			reads(t, m, v4+"x0/"+key, "0")
		}
	}},
	{"the copied keys are copied", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		for _, key := range []string{
			"accept_local", "arp_announce", "arp_filter", "arp_ignore", "log_martians", "proxy_arp", "rp_filter", "src_valid_mark",
		} {
			set(t, m, v4+"default/"+key, "1")
			reads(t, m, v4+"x0/"+key, "1")
		}
		for _, key := range []string{"accept_redirects", "accept_source_route", "secure_redirects", "send_redirects"} {
			set(t, m, v4+"default/"+key, "0")
			reads(t, m, v4+"x0/"+key, "0")
		}
	}},
}
