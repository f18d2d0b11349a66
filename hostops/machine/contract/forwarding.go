package contract

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

const (
	v4 = "net/ipv4/conf/"
	v6 = "net/ipv6/conf/"
)

// forwarding is what ip_forward takes with it.
var forwarding = []sentence{
	{"ip_forward and conf/all/forwarding are one variable", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/ip_forward", "1")
		reads(t, m, v4+"all/forwarding", "1")
		set(t, m, v4+"all/forwarding", "0")
		reads(t, m, "net/ipv4/ip_forward", "0")
	}},
	{"a change sets default and every interface", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		for _, on := range []string{"1", "0"} {
			set(t, m, "net/ipv4/ip_forward", on)
			reads(t, m, v4+"default/forwarding", on)
			reads(t, m, v4+"lo/forwarding", on)
			reads(t, m, v4+"x0/forwarding", on)
		}
	}},
	{"a change sets all/accept_redirects to the opposite, and no other one", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v4+"all/accept_redirects", "1")
		set(t, m, v4+"lo/accept_redirects", "1")
		set(t, m, "net/ipv4/ip_forward", "1")
		reads(t, m, v4+"all/accept_redirects", "0")
		reads(t, m, v4+"default/accept_redirects", "1")
		reads(t, m, v4+"lo/accept_redirects", "1")
		set(t, m, "net/ipv4/ip_forward", "0")
		reads(t, m, v4+"all/accept_redirects", "1")
	}},
	{"a write of the same value touches nothing", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/ip_forward", "1")
		set(t, m, v4+"all/accept_redirects", "1")
		set(t, m, v4+"lo/forwarding", "0")
		set(t, m, "net/ipv4/ip_forward", "1")
		reads(t, m, v4+"all/accept_redirects", "1")
		reads(t, m, v4+"lo/forwarding", "0")
	}},
	{"another number that means on is a change", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/ip_forward", "1")
		set(t, m, v4+"all/accept_redirects", "1")
		set(t, m, "net/ipv4/ip_forward", "2")
		reads(t, m, "net/ipv4/ip_forward", "2")
		reads(t, m, v4+"all/accept_redirects", "0")
		reads(t, m, v4+"default/forwarding", "2")
		reads(t, m, v4+"lo/forwarding", "2")
	}},
	{"an interface's own forwarding touches nothing else", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v4+"lo/forwarding", "1")
		reads(t, m, "net/ipv4/ip_forward", "0")
		reads(t, m, v4+"default/forwarding", "0")
	}},
	{"default/forwarding is not copied", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, v4+"default/forwarding", "1")
		reads(t, m, v4+"lo/forwarding", "0")
		reads(t, m, "net/ipv4/ip_forward", "0")
	}},
}
