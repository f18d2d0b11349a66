package contract

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// ipv6 is what net/ipv6/conf/all takes with it.
var ipv6 = []sentence{
	{"all/forwarding sets default and every interface", func(t *testing.T, w World, m *machine.Machine) {
		everywhere(t, w, m, "forwarding", "1", "0")
	}},
	{"all/disable_ipv6 sets default and every interface", func(t *testing.T, w World, m *machine.Machine) {
		everywhere(t, w, m, "disable_ipv6", "1", "0")
	}},
	{"all/addr_gen_mode sets default and every interface", func(t *testing.T, w World, m *machine.Machine) {
		everywhere(t, w, m, "addr_gen_mode", "1", "0")
	}},
	{"all/ignore_routes_with_linkdown sets default and every interface", func(t *testing.T, w World, m *machine.Machine) {
		everywhere(t, w, m, "ignore_routes_with_linkdown", "1", "0")
	}},
	{"all/forwarding sets them again at a write of the same value", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v6+"all/forwarding", "1")
		set(t, m, v6+"lo/forwarding", "0")
		set(t, m, v6+"default/forwarding", "0")
		set(t, m, v6+"all/forwarding", "1")
		reads(t, m, v6+"lo/forwarding", "1")
		reads(t, m, v6+"default/forwarding", "1")
	}},
	{"all/disable_ipv6 sets them again at a write of the same value", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v6+"all/disable_ipv6", "1")
		set(t, m, v6+"lo/disable_ipv6", "0")
		set(t, m, v6+"all/disable_ipv6", "1")
		reads(t, m, v6+"lo/disable_ipv6", "1")
	}},
	{"forwarding takes nothing else with it", func(t *testing.T, w World, m *machine.Machine) {
		before := get(t, m, v6+"all/accept_redirects") + get(t, m, v6+"lo/accept_ra")
		set(t, m, v6+"all/forwarding", "1")
		if after := get(t, m, v6+"all/accept_redirects") + get(t, m, v6+"lo/accept_ra"); after != before {
			t.Errorf("accept_redirects and accept_ra became %q, were %q", after, before)
		}
	}},
	{"an interface and default touch nothing else", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v6+"x0/forwarding", "1")
		set(t, m, v6+"default/accept_ra", "0")
		reads(t, m, v6+"all/forwarding", "0")
		reads(t, m, v6+"x0/accept_ra", "1")
	}},
	{"all is not copied for other keys", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		set(t, m, v6+"all/accept_ra", "0")
		reads(t, m, v6+"x0/accept_ra", "1")
		reads(t, m, v6+"default/accept_ra", "1")
	}},
}

func everywhere(t *testing.T, w World, m *machine.Machine, key string, values ...string) {
	t.Helper()
	w.AddLink("x0")
	for _, value := range values {
		set(t, m, v6+"all/"+key, value)
		reads(t, m, v6+"default/"+key, value)
		reads(t, m, v6+"lo/"+key, value)
		reads(t, m, v6+"x0/"+key, value)
	}
}
