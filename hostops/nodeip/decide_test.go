package nodeip_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// saved is the state of an earlier run.
func saved(ip string) *nodeip.State { return &nodeip.State{IP: ip, Source: nodeip.FromDetection} }

func routed() *host { return eth0().d4("eth0", "192.0.2.1") }

func TestDecision(t *testing.T) {
	now77 := newHost().link("eth0").ip("eth0", "192.0.2.77/24").d4("eth0", "192.0.2.1")
	both := newHost().link("eth0").ip("eth0", "192.0.2.10/24").ip("eth0", "192.0.2.77/24", secondary).d4("eth0", "192.0.2.1")
	vip := newHost().link("eth0").ip("eth0", "192.0.2.2/24").ip("eth0", "192.0.2.10/24", secondary).d4("eth0", "192.0.2.1")
	renamed := newHost().link("ens3").ip("ens3", "192.0.2.10/24").d4("ens3", "192.0.2.1")
	node := func(ip string) nodeip.Running {
		return nodeip.Running{Exists: true, IP: ip, From: "the command line of the kubelet"}
	}
	for _, tt := range []struct {
		name     string
		q        nodeip.Question
		host     *host
		want     string
		source   nodeip.Source
		reason   string // of the problem
		refused  bool
		says     []string // parts of the problem, or of the warnings
		differs  bool
		mayDelay bool // waiting may help
	}{
		{name: "detection is the last", host: routed(), want: "192.0.2.10", source: nodeip.FromDetection},
		{name: "the environment before detection", host: both, q: nodeip.Question{Env: "192.0.2.77"}, want: "192.0.2.77", source: nodeip.FromEnvironment},
		{name: "the profile before the environment", host: both, q: nodeip.Question{Env: "192.0.2.10", Wish: nodeip.Wish{Address: "192.0.2.77"}}, want: "192.0.2.77", source: nodeip.FromProfile},
		{name: "the running kubelet before the profile", host: both, q: nodeip.Question{Node: node("192.0.2.10"), Wish: nodeip.Wish{Address: "192.0.2.77"}}, want: "192.0.2.10", source: nodeip.FromNode, differs: true},
		{name: "the state before the running kubelet", host: both, q: nodeip.Question{Saved: saved("192.0.2.77"), Node: node("192.0.2.10")}, want: "192.0.2.77", source: nodeip.FromState, differs: true},
		{name: "the flag before all on a new host", host: both, q: nodeip.Question{Flag: "192.0.2.77", Env: "192.0.2.10"}, want: "192.0.2.77", source: nodeip.FromFlag},
		{name: "16 the state, where a VIP became the primary address", host: vip, q: nodeip.Question{Saved: saved("192.0.2.10")}, want: "192.0.2.10", source: nodeip.FromState, differs: true, says: []string{"192.0.2.2", "192.0.2.10 stays"}},
		{name: "23 the state, after a VPN came", host: routed().link("tailscale0", kind("tun"), bare).ip("tailscale0", "100.64.0.5/32"), q: nodeip.Question{Saved: saved("192.0.2.10")}, want: "192.0.2.10", source: nodeip.FromState},
		{name: "25 an explicit address that is not there yet", host: routed(), q: nodeip.Question{Flag: "203.0.113.7"}, reason: "AddressLost", refused: true, mayDelay: true, says: []string{"203.0.113.7", "eth0 has 192.0.2.10"}},
		{name: "25 the profile says to start all the same", host: routed(), q: nodeip.Question{Flag: "203.0.113.7", Wish: nodeip.Wish{Start: true}}, want: "203.0.113.7", source: nodeip.FromFlag, mayDelay: true, says: []string{"203.0.113.7 (--node-ip) is on no interface"}},
		{name: "25 an explicit address on a VPN is taken as it is", host: routed().link("wg0", kind("wireguard"), bare).ip("wg0", "203.0.113.7/24"), q: nodeip.Question{Flag: "203.0.113.7"}, want: "203.0.113.7", source: nodeip.FromFlag},
		{name: "40 the saved address is gone", host: now77, q: nodeip.Question{Saved: saved("192.0.2.10")}, reason: "AddressLost", refused: true, mayDelay: true, says: []string{"192.0.2.10 (the saved address)", "eth0 has 192.0.2.77", "--node-ip 192.0.2.77 --move-node-ip"}},
		{name: "41 a flag alone does not move a node", host: both, q: nodeip.Question{Saved: saved("192.0.2.10"), Flag: "192.0.2.77"}, reason: "NodeIPHeld", refused: true, says: []string{"192.0.2.10", "192.0.2.77", "--move-node-ip"}},
		{name: "41 a deliberate move", host: now77, q: nodeip.Question{Saved: saved("192.0.2.10"), Flag: "192.0.2.77", Move: true}, want: "192.0.2.77", source: nodeip.FromFlag},
		{name: "41 a flag does not move a node that runs without us", host: both, q: nodeip.Question{Node: node("192.0.2.10"), Flag: "192.0.2.77"}, reason: "NodeIPHeld", refused: true, says: []string{"command line of the kubelet"}},
		{name: "a flag that says what is saved", host: both, q: nodeip.Question{Saved: saved("192.0.2.10"), Flag: "192.0.2.10"}, want: "192.0.2.10", source: nodeip.FromFlag},
		{name: "42 the profile names another address", host: both, q: nodeip.Question{Saved: saved("192.0.2.10"), Wish: nodeip.Wish{Address: "192.0.2.77"}}, want: "192.0.2.10", source: nodeip.FromState, differs: true, says: []string{"the profile would choose 192.0.2.77", "deliberate move"}},
		{name: "48 a link with another name", host: renamed, q: nodeip.Question{Saved: saved("192.0.2.10")}, want: "192.0.2.10", source: nodeip.FromState},
		{name: "adopted, where detection would choose otherwise", host: vip, q: nodeip.Question{Node: node("192.0.2.10")}, want: "192.0.2.10", source: nodeip.FromNode, differs: true},
		{name: "adopted, and gone from the host", host: now77, q: nodeip.Question{Node: node("192.0.2.10")}, reason: "AddressLost", refused: true, mayDelay: true, says: []string{"192.0.2.10", "192.0.2.77"}},
		{name: "a kubelet that cannot be read is no reason to guess", host: routed(), q: nodeip.Question{Node: node("")}, reason: "NodeIPNotFound", refused: true, says: []string{"kubelet has run", "they would choose 192.0.2.10"}},
		{name: "a kubelet that cannot be read, where the rules fail, too", host: two(), q: nodeip.Question{Node: node("")}, reason: "NodeIPNotFound", refused: true, says: []string{"kubelet has run"}},
		{name: "a kubelet that cannot be read, and a person who knows", host: routed(), q: nodeip.Question{Node: node(""), Flag: "192.0.2.10"}, want: "192.0.2.10", source: nodeip.FromFlag},
		{name: "a kubelet of IPv6 alone", host: pair(), q: nodeip.Question{Node: node("2001:db8::10")}, reason: "InvalidValue", refused: true, says: []string{"primary family of the cluster is IPv4"}},
		{name: "the state of another machine does not count", host: now77, q: nodeip.Question{Clone: true}, want: "192.0.2.77", source: nodeip.FromDetection, says: []string{"another machine"}},
		{name: "ambiguous: all candidates and all ways to say which", host: two(), reason: "NodeIPAmbiguous", says: []string{"192.0.2.10 on eth0", "198.51.100.10 on eth1", "--node-ip", "nodeIP.address", "nodeIP.subnets", "NODE_IP"}},
		{name: "ambiguous by equal metrics: no waiting helps", host: two().d4("eth0", "", m(1)).d4("eth1", "", m(1)), reason: "NodeIPAmbiguous"},
		{name: "50 nothing yet", host: newHost().link("eth0", down), reason: "NodeIPNotFound", mayDelay: true},
		{name: "the only address, while another card waits for its own", host: eth0().link("eth1"), want: "192.0.2.10", source: nodeip.FromDetection, mayDelay: true},
		{name: "the only address, and a card that is off", host: eth0().link("eth1", down), want: "192.0.2.10", source: nodeip.FromDetection},
		{name: "30 half a pair", host: newHost().link("eth0").ip("eth0", "2001:db8::10/64").d6("eth0"), q: nodeip.Question{Wish: nodeip.Wish{DualStack: true}}, reason: "NodeIPNotFound", mayDelay: true},
		{name: "46 a blank", host: routed(), q: nodeip.Question{Flag: " 192.0.2.10 "}, reason: "InvalidValue", refused: true, says: []string{"--node-ip", "blank"}},
		{name: "46 a leading zero", host: routed(), q: nodeip.Question{Env: "192.0.2.010"}, reason: "InvalidValue", refused: true, says: []string{"NODE_IP"}},
		{name: "46 a prefix length", host: routed(), q: nodeip.Question{Wish: nodeip.Wish{Address: "192.0.2.10/24"}}, reason: "InvalidValue", refused: true, says: []string{"nodeIP.address", "prefix length"}},
		{name: "a bad value behind one that counts is not looked at", host: routed(), q: nodeip.Question{Saved: saved("192.0.2.10"), Env: "nonsense"}, want: "192.0.2.10", source: nodeip.FromState},
		{name: "verbatim", host: pair(), q: nodeip.Question{Flag: "192.0.2.10,2001:DB8:0::10", Wish: nodeip.Wish{DualStack: true}}, want: "192.0.2.10,2001:DB8:0::10", source: nodeip.FromFlag},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.Snapshot = tt.host.Snapshot
			d := nodeip.Decide(&tt.q)
			if d.Problem == nil {
				d.Problem = &nodeip.Problem{Wait: d.Provisional}
			} else if d.IP != "" && tt.want != "" {
				t.Errorf("%s, and a problem: %+v", d.IP, d.Problem)
			}
			if p := d.Problem; string(p.Reason) != tt.reason || p.Refuse != tt.refused || p.Wait != tt.mayDelay {
				t.Errorf("problem %+v", p)
			}
			if tt.reason == "" && (d.IP != tt.want || d.Source != tt.source) {
				t.Errorf("%s (%s), want %s (%s)", d.IP, d.Source, tt.want, tt.source)
			}
			text, differs := d.Problem.Message+" "+d.Problem.Fix, false
			for _, w := range d.Warnings {
				text += " " + w.Message + " " + w.Fix
				differs = differs || w.Reason == nodeip.Differs
			}
			if differs != tt.differs {
				t.Errorf("differs: %v", differs)
			}
			for _, part := range tt.says {
				if !strings.Contains(text, part) {
					t.Errorf("%q does not say %q", text, part)
				}
			}
		})
	}
}

func TestDetectionIsTheLastResort(t *testing.T) {
	never := func() (string, error) { t.Error("detected"); return "", nil }
	for _, s := range []nodeip.Sources{{Flag: "a", State: "b"}, {State: "a", Node: "b"}, {Node: "a", Profile: "b"}, {Profile: "a", Environment: "b"}, {Environment: "a"}} {
		if c, err := nodeip.Resolve(s, never); err != nil || c.IP != "a" {
			t.Errorf("%+v gives %+v, %v", s, c, err)
		}
	}
	fails := func() (string, error) { return "", errors.New("none") }
	_, err := nodeip.ResolveWithoutConfig(nodeip.Sources{Profile: "192.0.2.1"}, fails)
	if err == nil || strings.Contains(err.Error(), "profile") || !strings.Contains(err.Error(), "NODE_IP") {
		t.Errorf("%v names a source that is not read, or not one that is", err)
	}
}
