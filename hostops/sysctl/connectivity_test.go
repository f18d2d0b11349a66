package sysctl_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func TestWhatCanCutConnections(t *testing.T) {
	for key, want := range map[item.Key]map[string]bool{
		"sysctl/net.ipv4.ip_forward":                {"0": true, "1": true},
		"sysctl/net.ipv6.conf.eth0.forwarding":      {"1": true},
		"sysctl/net.ipv6.conf.all.disable_ipv6":     {"1": true},
		"sysctl/net.ipv4.conf.lxc1.rp_filter":       {"0": false, "1": true},
		"sysctl/net.ipv4.conf.all.rp_filter":        {"0": true},
		"sysctl/net.bridge.bridge-nf-call-iptables": {"1": true},
		"sysctl/vm.swappiness":                      {"1": false},
		"kmod/forwarding":                           {"loaded": false},
	} {
		for value, cut := range want {
			if got := sysctl.CanCut(key, item.Text(value)); got != cut {
				t.Errorf("%s = %s: %v", key, value, got)
			}
		}
	}
}
