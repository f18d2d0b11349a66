package nodeip_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// TestCheck holds each value against a single-stack and a dual-stack cluster: part of the
// complaint, or "ok".
func TestCheck(t *testing.T) {
	for _, tt := range []struct{ value, single, dual string }{
		{"192.0.2.10", "ok", "one address"},
		{"10.0.0.255", "ok", "one address"},
		{"100.64.0.5", "ok", "one address"},
		{"0.0.0.1", "ok", "one address"},
		{"::ffff:192.0.2.10", "ok", "one address"},
		{"192.0.2.10,2001:db8::10", "two addresses", "ok"},
		{"192.0.2.10,fd00::1", "two addresses", "ok"},
		{"::ffff:192.0.2.10,fd00::1", "two addresses", "ok"},
		{"2001:db8::10", "IPv6 alone", "IPv6 alone"},
		{"2001:db8::10,192.0.2.10", "begins with IPv6", "begins with IPv6"},
		{"192.0.2.10,192.0.2.11", "one family", "one family"},
		{"192.0.2.10,::ffff:192.0.2.11", "one family", "one family"},
		{"fd00::1,fd00::2", "one family", "one family"},
		{"192.0.2.10,fd00::1,fd00::2", "3 addresses", "3 addresses"},
		{"127.0.0.1", "loopback", "loopback"},
		{"127.8.8.8", "loopback", "loopback"},
		{"::1", "loopback", "loopback"},
		{"::ffff:127.0.0.1", "loopback", "loopback"},
		{"0.0.0.0", "all-zeros", "all-zeros"},
		{"::", "all-zeros", "all-zeros"},
		{"::ffff:0.0.0.0", "all-zeros", "all-zeros"},
		{"224.0.0.1", "multicast", "multicast"},
		{"239.255.255.255", "multicast", "multicast"},
		{"ff02::1", "multicast", "multicast"},
		{"ff0e::1", "multicast", "multicast"},
		{"::ffff:224.0.0.1", "multicast", "multicast"},
		{"169.254.1.1", "link-local", "link-local"},
		{"fe80::1", "link-local", "link-local"},
		{"fe80::1%eth0", "link-local", "link-local"},
		{"::ffff:169.254.1.1", "link-local", "link-local"},
		{"255.255.255.255", "broadcast", "broadcast"},
		{"::ffff:255.255.255.255", "broadcast", "broadcast"},
		{"192.0.2.10,fe80::1", "link-local", "link-local"},
		{"192.0.2.10,::1", "loopback", "loopback"},
		{"2001:db8::1%eth0", "zone", "zone"},
		{" 192.0.2.10", "blank", "blank"},
		{"192.0.2.10 ", "blank", "blank"},
		{"192.0.2.10, fd00::1", "blank", "blank"},
		{"192.0.2.010", "no IP address", "no IP address"},
		{"192.0.2.10/24", "prefix length", "prefix length"},
		{"192.0.2", "no IP address", "no IP address"},
		{"node-17", "no IP address", "no IP address"},
		{"192.0.2.10,", "no IP address", "no IP address"},
		{"", "empty", "empty"},
	} {
		for dual, want := range map[bool]string{false: tt.single, true: tt.dual} {
			err := nodeip.Check(tt.value, dual)
			switch {
			case want == "ok" && err != nil:
				t.Errorf("%q, dual stack %v: %v", tt.value, dual, err)
			case want != "ok" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("%q, dual stack %v: %v, want %q", tt.value, dual, err, want)
			}
		}
	}
}

func TestUnreachableKind(t *testing.T) {
	for ip, want := range map[string]string{
		"192.0.2.10": "", "10.0.0.255": "", "2001:db8::1": "", "fd00::1": "", "::ffff:10.0.0.1": "",
		"127.0.0.1": "a loopback address", "::1": "a loopback address", "::ffff:127.0.0.1": "a loopback address",
		"0.0.0.0": "the all-zeros address", "::": "the all-zeros address",
		"224.0.0.1": "a multicast address", "ff02::1": "a multicast address",
		"169.254.0.1": "a link-local address", "fe80::1": "a link-local address", "fe80::1%eth0": "a link-local address",
		"255.255.255.255": "the broadcast address",
	} {
		if got := nodeip.UnreachableKind(netip.MustParseAddr(ip)); got != want {
			t.Errorf("%s is %q, want %q", ip, got, want)
		}
	}
}

func TestPrimary(t *testing.T) {
	for value, want := range map[string]string{"192.0.2.10": "192.0.2.10", "192.0.2.10,fd00::1": "192.0.2.10", "": ""} {
		if got := nodeip.Primary(value); got != want {
			t.Errorf("%q: %q", value, got)
		}
	}
}
