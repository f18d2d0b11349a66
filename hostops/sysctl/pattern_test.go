package sysctl_test

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func wish(n sysctl.Name, value string) item.Want {
	return item.Want{Key: sysctl.Key(n), State: sysctl.Value(n, value)}
}

// expanded returns "name=value" of all single wishes, with a star on volatile ones.
func expanded(t *testing.T, h *fake.Host, wants ...item.Want) (single []string, patterns []item.Want) {
	t.Helper()
	list, patterns, err := sysctl.New(h.Machine(), "boot").Expand(t.Context(), wants)
	check(t, err)
	for _, w := range list {
		s := w.Key.Name() + "=" + w.State.Text()
		if w.Volatile {
			s += "*"
		}
		single = append(single, s)
	}
	slices.Sort(single)
	return single, patterns
}

func TestPatternNamesPresentInterfacesOnly(t *testing.T) {
	h := fake.New(fake.Link("lxcA"), fake.Link("lxcB"), fake.Link("eth0.5"))
	single, patterns := expanded(t, h, wish("net.ipv4.conf.lxc*.rp_filter", "0"))
	want := []string{"net.ipv4.conf.lxcA.rp_filter=0*", "net.ipv4.conf.lxcB.rp_filter=0*"}
	if !slices.Equal(single, want) || len(patterns) != 1 {
		t.Errorf("single %q, patterns %v", single, patterns)
	}
}

func TestPatternNeverNamesAllDefaultOrLoopback(t *testing.T) {
	single, _ := expanded(t, fake.New(), wish("net.ipv4.conf.*.rp_filter", "0"))
	if !slices.Equal(single, []string{"net.ipv4.conf.eth0.rp_filter=0*"}) {
		t.Errorf("single %q", single)
	}
}

func TestNameBeatsPatternsAndLaterPatternsBeatEarlierOnes(t *testing.T) {
	h := fake.New(fake.Link("lxc1"), fake.Link("lxc2"), fake.Link("eth0.5"))
	single, patterns := expanded(t, h,
		wish("net.ipv4.conf.lxc1.rp_filter", "2"),
		wish("net.ipv4.conf.*.rp_filter", "1"),
		wish("net.ipv4.conf.lxc*.rp_filter", "0"),
		wish("net.ipv4.conf.eth0?5.tag", "7"),
		wish("vm.swappiness", "10"),
	)
	want := []string{
		"net.ipv4.conf.eth0.rp_filter=1*", "net.ipv4.conf.eth0/5.rp_filter=1*", "net.ipv4.conf.eth0/5.tag=7*",
		"net.ipv4.conf.lxc1.rp_filter=2", "net.ipv4.conf.lxc2.rp_filter=0*", "vm.swappiness=10",
	}
	if !slices.Equal(single, want) {
		t.Errorf("single %q\n want %q", single, want)
	}
	if len(patterns) != 3 || patterns[0].Key.Name() != "net.ipv4.conf.*.rp_filter" {
		t.Errorf("patterns %v", patterns)
	}
}

func TestUnmanagedNameKeepsPatternsAway(t *testing.T) {
	free := wish("net.ipv4.conf.lxc1.rp_filter", "")
	free.Unmanaged = true
	list, _, err := sysctl.New(fake.New(fake.Link("lxc1")).Machine(), "boot").Expand(t.Context(),
		[]item.Want{free, wish("net.ipv4.conf.lxc*.rp_filter", "0")})
	check(t, err)
	if len(list) != 1 || !list[0].Unmanaged {
		t.Errorf("wishes %v", list)
	}
}

func TestPatternWithoutItsDirectoryMatchesNothing(t *testing.T) {
	single, patterns := expanded(t, fake.New(fake.Bare()), wish("net.mpls.conf.eth*.input", "1"))
	if len(single) != 0 || len(patterns) != 1 {
		t.Errorf("single %q, patterns %v", single, patterns)
	}
}
