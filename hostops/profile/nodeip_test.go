package profile_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// withNodeIP is a profile with a section.
func withNodeIP(t *testing.T, name, priority, section string) v1alpha1.HostProfile {
	t.Helper()
	text := "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: " + name + "}\nspec: {nodeSelector: {}, priority: " + priority + ", nodeIP: {" + section + "}}\n"
	got, err := profile.Load(name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return got[0]
}

// sectionIn returns the wish of a compiled set.
func sectionIn(t *testing.T, c profile.Compiled) (w nodeip.Wish, owner string) {
	t.Helper()
	for _, want := range c.Desired.Wants {
		if want.Key != nodeip.SectionKey {
			continue
		}
		w, err := nodeip.WishOf(want.State)
		if err != nil {
			t.Fatal(err)
		}
		return w, want.Source.Profile
	}
	return w, ""
}

func TestTheSectionNodeIPCountsAsAWhole(t *testing.T) {
	low := withNodeIP(t, "low", "1", `ipFamilies: [IPv4, IPv6], subnets: ["192.0.2.0/24", "2001:db8::/64"], publish: K3s`)
	high := withNodeIP(t, "high", "2", `excludeAddresses: ["192.0.2.2"], waitSeconds: 5`)
	for _, order := range [][]v1alpha1.HostProfile{{low, high}, {high, low}} {
		w, owner := sectionIn(t, profile.Compile(order))
		if owner != "high" || w.DualStack || len(w.Subnets) > 0 || len(w.Exclude) != 1 || w.Seconds != 5 || w.Publish != nodeip.EnvironmentFile {
			t.Errorf("%s: %+v", owner, w)
		}
	}
}

func TestSectionsThatSayTheSameAgree(t *testing.T) {
	a := withNodeIP(t, "a", "1", `subnets: ["192.0.2.0/24", "10.0.0.0/8"]`)
	b := withNodeIP(t, "b", "1", `subnets: ["10.0.0.0/8", "192.0.2.0/24"], waitSeconds: 30, publish: EnvironmentFile, ipFamilies: [IPv4]`)
	c := profile.Compile([]v1alpha1.HostProfile{a, b})
	if w, owner := sectionIn(t, c); len(c.Conflicts) > 0 || owner == "" || len(w.Subnets) != 2 {
		t.Errorf("%+v, %+v", w, c.Conflicts)
	}
	b = withNodeIP(t, "b", "1", `subnets: ["10.0.0.0/8"]`)
	c = profile.Compile([]v1alpha1.HostProfile{a, b})
	if _, owner := sectionIn(t, c); len(c.Conflicts) != 1 || owner != "" {
		t.Errorf("%s, %+v", owner, c.Conflicts)
	}
}

// Two programs judge an address, because a host must be able to do so without the API's
// types: they have to agree.
func TestTheAPIAndTheHostAgreeAboutAddresses(t *testing.T) {
	for _, value := range []string{
		"192.0.2.10", "10.0.0.255", "100.64.0.5", "2001:db8::10", "fd00::1", "127.0.0.1", "::1", "0.0.0.0", "::", "224.0.0.1", "ff02::1",
		"169.254.1.1", "fe80::1", "fe80::1%eth0", "255.255.255.255", " 192.0.2.10", "192.0.2.010", "192.0.2.10/24", "node-17", "192.0.2.10,",
		"192.0.2.10,2001:db8::10", "2001:db8::10,192.0.2.10", "192.0.2.10,192.0.2.11", "192.0.2.10,fe80::1", "192.0.2.10,fd00::1,fd00::2",
	} {
		for _, families := range [][]v1alpha1.IPFamily{nil, {v1alpha1.IPv4, v1alpha1.IPv6}} {
			p := withNodeIP(t, "site", "1", "")
			p.Spec.NodeIP.IPFamilies, p.Spec.NodeIP.Address = families, value
			api, host := len(v1alpha1.Validate(&p)) == 0, nodeip.Check(value, len(families) == 2) == nil
			if api != host {
				t.Errorf("%q with %v: the API says %v, the host says %v", value, families, api, host)
			}
		}
	}
}
