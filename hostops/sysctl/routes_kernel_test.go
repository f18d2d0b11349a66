package sysctl_test

import (
	"errors"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// advertise sends one router advertisement out of a link, as a router would.
func advertise(t *testing.T, link string) {
	t.Helper()
	i, err := net.InterfaceByName(link)
	if err != nil {
		t.Fatal(err)
	}
	s, err := syscall.Socket(syscall.AF_INET6, syscall.SOCK_RAW, syscall.IPPROTO_ICMPV6)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Close(s) }()
	// Receivers drop what could have passed a router.
	if err := syscall.SetsockoptInt(s, syscall.IPPROTO_IPV6, syscall.IPV6_MULTICAST_HOPS, 255); err != nil {
		t.Fatal(err)
	}
	packet := []byte{134, 0, 0, 0, 64, 0, 0x07, 0x08, 0, 0, 0, 0, 0, 0, 0, 0} // lifetime 1800 s
	all := &syscall.SockaddrInet6{ZoneId: uint32(i.Index)}
	copy(all.Addr[:], net.ParseIP("ff02::1"))
	err = syscall.Sendto(s, packet, 0, all)
	for end := time.Now().Add(2 * time.Second); errors.Is(err, syscall.EADDRNOTAVAIL) && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // the link has no address yet
		err = syscall.Sendto(s, packet, 0, all)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// routed reports whether the link has a default route from a router, and waits for it
// as long as that is what is wanted.
func routed(t *testing.T, link string, want bool) bool {
	t.Helper()
	for end := time.Now().Add(2 * time.Second); ; {
		b, err := os.ReadFile("/proc/net/ipv6_route")
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for line := range strings.Lines(string(b)) {
			f := strings.Fields(line)
			has = has || len(f) == 10 && f[9] == link && strings.Trim(f[0], "0") == "" && f[1] == "00" && f[4] != strings.Repeat("0", 32)
		}
		if has == want || time.Now().After(end) {
			return has
		}
		time.Sleep(time.Millisecond)
	}
}

// routerOnV0 makes the link v0 and a router on its other end.
func routerOnV0(t *testing.T) {
	t.Helper()
	proc := realMachine().Proc
	if err := proc.WriteSysctl("net/ipv6/conf/default/accept_dad", "0"); err != nil {
		t.Skipf("no IPv6: %v", err)
	}
	run(t, "ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1")
	for _, link := range []string{"v0", "v1"} {
		run(t, "ip", "link", "set", link, "up")
	}
	advertise(t, "v1")
	if !routed(t, "v0", true) {
		t.Skip("the kernel took no route from a router's advertisement")
	}
}

// TestKernelDropsARoutersRouteWhenItForwards shows the kernel's side: why there is a
// prerequisite, and that forwarding on any one link is enough.
func TestKernelDropsARoutersRouteWhenItForwards(t *testing.T) {
	if !inSandbox(t) {
		return
	}
	routerOnV0(t)
	proc := realMachine().Proc
	for _, link := range []string{"all", "v0", "v1", "lo"} {
		for _, accept := range []string{"1", "2"} {
			check(t, proc.WriteSysctl("net/ipv6/conf/all/forwarding", "0"))
			check(t, proc.WriteSysctl("net/ipv6/conf/v0/accept_ra", accept))
			// A route that survived once is not looked at again: begin with a new one.
			run(t, "ip", "-6", "route", "flush", "dev", "v0", "proto", "ra")
			advertise(t, "v1")
			if !routed(t, "v0", true) {
				t.Fatalf("accept_ra=%s: no route to begin with", accept)
			}
			check(t, proc.WriteSysctl("net/ipv6/conf/"+link+"/forwarding", "1"))
			if want := accept == "2"; routed(t, "v0", want) != want {
				t.Errorf("conf/%s/forwarding=1, accept_ra=%s: route kept is %v, want %v", link, accept, !want, want)
			}
			check(t, proc.WriteSysctl("net/ipv6/conf/"+link+"/forwarding", "0"))
		}
	}
}

// TestForwardingKeepsTheDefaultRoute shows ours: the derived wish first, then
// forwarding, and the route is still there; without it, no write.
func TestForwardingKeepsTheDefaultRoute(t *testing.T) {
	if !inSandbox(t) {
		return
	}
	routerOnV0(t)
	op := sysctl.New(realMachine(), "boot")
	all := item.Want{Key: sysctl.Key("net.ipv6.conf.all.forwarding"), State: item.Text("1")}

	err := op.Apply(t.Context(), all.Key, item.Text("0"), all.State)
	var e *item.Error
	if !errors.As(err, &e) || e.Reason != sysctl.WouldLoseDefaultRoute {
		t.Fatalf("forwarding without accept_ra=2: %v", err)
	}
	if !routed(t, "v0", true) {
		t.Fatal("the refused write cost the route")
	}

	need, err := op.Prerequisites(t.Context(), []item.Want{all}, nil)
	check(t, err)
	if len(need.Wants) != 1 || need.Wants[0].Key != sysctl.Key("net.ipv6.conf.v0.accept_ra") || len(need.Blocked) != 0 {
		t.Fatalf("prerequisites %+v", need)
	}
	for _, w := range append(need.Wants, all) {
		check(t, op.Apply(t.Context(), w.Key, item.Text("0"), w.State))
	}
	if !routed(t, "v0", true) {
		t.Error("the default route is gone")
	}
	run(t, "ip", "-6", "route", "flush", "dev", "v0", "proto", "ra")
	again, err := op.Prerequisites(t.Context(), []item.Want{all}, []item.Key{need.Wants[0].Key, all.Key})
	check(t, err)
	if len(again.Wants) != 1 {
		t.Errorf("while the route is away, accept_ra would be given back: %+v", again)
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
