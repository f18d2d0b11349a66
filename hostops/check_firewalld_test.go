package hostops_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// firewalldLines are the lines about firewalld of a check for Cilium.
func firewalldLines(t *testing.T, h *fake.Host) []hostops.CheckResult {
	t.Helper()
	profiles := site(t, trust)
	profiles[0].Name = "cilium"
	results, err := open(t, h).Check(t.Context(), profiles)
	if err != nil {
		t.Fatal(err)
	}
	var out []hostops.CheckResult
	for _, r := range results {
		if r.ID == "firewalld" {
			out = append(out, r)
		}
	}
	return out
}

// says wants exactly one line with an outcome and all the words.
func says(t *testing.T, lines []hostops.CheckResult, outcome hostops.CheckOutcome, words ...string) {
	t.Helper()
	for _, r := range lines {
		all := r.Outcome == outcome
		for _, w := range words {
			all = all && strings.Contains(string(r.Reason)+" "+r.Message+" "+r.Fix, w)
		}
		if all {
			return
		}
	}
	t.Errorf("no line is %s and says %q: %+v", outcome, words, lines)
}

func TestCheckTellsWhatFirewalldKeepsOut(t *testing.T) {
	h := firewalled()
	h.AddDefaultRoute("eth0", "192.0.2.1", "", 100)
	h.PutFile(zonefile.Path("public"), `<zone><interface name="eth0"/><port port="10250" protocol="tcp"/><port port="6443" protocol="tcp"/></zone>`)
	h.PutFile(zonefile.Path("trusted"), `<zone target="ACCEPT"><source address="10.0.0.0/8"/></zone>`)
	h.ReloadFirewalld()
	lines := firewalldLines(t, h)
	says(t, lines, hostops.CheckOK, "firewalld 1.3.3 (nftables)", "default zone public")
	says(t, lines, hostops.CheckOK, "zone public (eth0): 10250/tcp open")
	says(t, lines, hostops.CheckWarn, "zone public (eth0): 8472/udp closed", "firewall-cmd --zone=public --add-port=8472/udp; firewall-cmd --permanent --zone=public --add-port=8472/udp")
	says(t, lines, hostops.CheckInfo, "6443/tcp open")
	says(t, lines, hostops.CheckInfo, "2379-2380/tcp closed")
	says(t, lines, hostops.CheckWarn, "source 10.0.0.0/8", "firewall-cmd --permanent --zone=trusted --remove-source=10.0.0.0/8")
	says(t, lines, hostops.CheckWarn, "6 bindings are missing", "no route to host")
	says(t, lines, hostops.CheckInfo, string(firewalld.ForwardFromNicZone), "eth0", "zone public")

	h.AddLink("cilium_host")
	says(t, firewalldLines(t, h), hostops.CheckWarn, string(firewalld.ForwardFromNicZone))
	h.AddLink("cilium_vxlan")
	for _, r := range firewalldLines(t, h) {
		if r.Reason == firewalld.ForwardFromNicZone {
			t.Errorf("a tunnel is warned about: %+v", r)
		}
	}
}

func TestCheckTellsConflictsAndNetworkManager(t *testing.T) {
	h := firewalled()
	h.AddLink("cilium_host")
	h.AddLink("lxc1")
	h.SetZone(live("cilium_host"), "internal")
	h.SetZone(live("lxc7"), "public")
	h.SetZone(live("lxcbr0"), "public")
	index, err := h.Machine().Network.LinkIndex("lxc1")
	if err != nil {
		t.Fatal(err)
	}
	h.PutFile("/run/NetworkManager/devices/"+strconv.Itoa(index), "[device]\nmanaged=true\nperm-hw-addr-fake=9A:F1:46:57:93:ED\nconnection-uuid=0b5a\nnm-owned=false\n")
	lines := firewalldLines(t, h)
	says(t, lines, hostops.CheckWarn, string(firewalld.ZoneConflict), "firewall-cmd --zone=trusted --change-interface=cilium_host")
	says(t, lines, hostops.CheckWarn, string(firewalld.ZoneConflict), "lxc7 is in zone public by its own name", "firewall-cmd --zone=trusted --change-interface=lxc7")
	for _, r := range lines {
		if strings.Contains(r.Message, "lxcbr0") {
			t.Errorf("what is not to be trusted is told: %+v", r)
		}
	}
	says(t, lines, hostops.CheckWarn, string(firewalld.ManagedByNetworkManager), "lxc1", "nmcli connection modify 0b5a connection.zone trusted")

	// The file stays when NetworkManager ends.
	h.PutFile("/run/systemd/units/invocation:dbus.service", "")
	for _, r := range firewalldLines(t, h) {
		if r.Reason == firewalld.ManagedByNetworkManager {
			t.Errorf("a NetworkManager that does not run is warned about: %+v", r)
		}
	}
	h.PutFile("/run/systemd/units/invocation:NetworkManager.service", "")
	says(t, firewalldLines(t, h), hostops.CheckWarn, string(firewalld.ManagedByNetworkManager))
}

func TestCheckOfAHostWithoutAFirewallIsFine(t *testing.T) {
	for state, word := range map[machine.FirewallState]string{
		machine.FirewallAbsent: "not installed", machine.FirewallMasked: "masked", machine.FirewallStopped: "stopped",
	} {
		h := firewalled()
		h.SetFirewalld(state)
		says(t, firewalldLines(t, h), hostops.CheckOK, word)
	}
}
