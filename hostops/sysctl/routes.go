package sysctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

const (
	acceptRA = "accept_ra"
	ipv6Conf = "net.ipv6.conf"
	// alwaysAcceptRA: router advertisements are taken although the host forwards.
	alwaysAcceptRA = "2"
)

// Flags of a route that the kernel made from a router's advertisement.
const (
	flagDefault  = 0x00010000 // RTF_DEFAULT
	flagAddrconf = 0x00040000 // RTF_ADDRCONF
)

// Prerequisites implements item.Preparer.
//
// Switching IPv6 forwarding on, be it on all links or on one, makes the kernel delete
// every default route that it learned from a router, on any link whose accept_ra is not
// 2; and a link that forwards learns no new one. Links that have such a route therefore
// get that wish. It stays for as long as forwarding is wished and the value is ours,
// since the route, and the link itself, can be away for a while. A wish for another
// accept_ra of such a link blocks forwarding.
func (o *Operation) Prerequisites(_ context.Context, wants []item.Want, owned []item.Key) (item.Prerequisites, error) {
	var p item.Prerequisites
	masters := forwarders(wants)
	if len(masters) == 0 {
		return p, nil
	}
	routed, err := o.routedLinks()
	if err != nil {
		return p, err
	}
	for _, link := range o.keepAccepting(routed, owned) {
		k := Key(of(ipv6Conf, link, acceptRA))
		i := slices.IndexFunc(wants, func(w item.Want) bool { return w.Key == k })
		if i < 0 {
			p.Wants = append(p.Wants, item.Want{
				Key: k, State: item.Text(alwaysAcceptRA),
				Required: masters[0].Required, SkipMissing: true, Source: masters[0].Source,
			})
			continue
		}
		if v := o.willAccept(link, wants[i]); v != alwaysAcceptRA && slices.Contains(routed, link) {
			p.Blocked = block(masters, loses(link, v))
		}
	}
	return p, nil
}

// willAccept returns what accept_ra of a link is when its wish holds.
func (o *Operation) willAccept(link string, w item.Want) string {
	if !w.Unmanaged {
		return w.State.Text()
	}
	v, err := o.m.Proc.ReadSysctl(of(ipv6Conf, link, acceptRA).Path())
	if err != nil {
		return alwaysAcceptRA // no such link: no route to lose
	}
	return v
}

func block(masters []item.Want, e *item.Error) map[item.Key]*item.Error {
	blocked := make(map[item.Key]*item.Error)
	for _, w := range masters {
		blocked[w.Key] = e
	}
	return blocked
}

// forwarders returns the wishes that switch IPv6 forwarding on.
func forwarders(wants []item.Want) []item.Want {
	var out []item.Want
	for _, w := range wants {
		if n, err := NameOf(w.Key); err == nil && !w.Unmanaged && switchesForwarding(n, w.State) {
			out = append(out, w)
		}
	}
	return out
}

// switchesForwarding reports whether a state of a key makes the kernel purge the routes
// that routers advertised. Default does not: it is about links to come.
func switchesForwarding(n Name, s item.State) bool {
	dir, link, attribute, ok := n.split()
	return ok && dir == ipv6Conf && attribute == "forwarding" && link != defaultLink && s.Present() && s.Text() != "0"
}

// NeedsRoutes reports whether a wish must not hold before the host's links and routes have
// been looked at: it would take away the default routes that routers advertise.
func NeedsRoutes(w item.Want) bool {
	n, err := NameOf(w.Key)
	return err == nil && switchesForwarding(n, w.State)
}

// keepAccepting returns the links that must accept advertisements while the host
// forwards: those with a router's route, and those that accept them because of us.
func (o *Operation) keepAccepting(routed []string, owned []item.Key) []string {
	links := slices.Clone(routed)
	for _, k := range owned {
		n, err := NameOf(k)
		if err != nil {
			continue
		}
		link, ok := n.Interface()
		if !ok || n != of(ipv6Conf, link, acceptRA) || slices.Contains(links, link) {
			continue
		}
		if v, err := o.m.Proc.ReadSysctl(n.Path()); err != nil || v == alwaysAcceptRA {
			links = append(links, link)
		}
	}
	slices.Sort(links)
	return links
}

// routedLinks returns the links with a default route that the kernel learned from a
// router. A kernel without IPv6 has none.
func (o *Operation) routedLinks() ([]string, error) {
	content, err := o.m.Proc.ReadProc(paths.IPv6Routes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", paths.IPv6Routes, err)
	}
	return parseRouterLinks(string(content)), nil
}

// parseRouterLinks reads /proc/net/ipv6_route. Its ten columns begin with destination
// and prefix length and end with the flags, in hexadecimal, and the link. One of the
// two flags is enough for the kernel to drop a default route.
func parseRouterLinks(content string) []string {
	var links []string
	for line := range strings.Lines(content) {
		f := strings.Fields(line)
		if len(f) != 10 || f[1] != "00" || strings.Trim(f[0], "0") != "" {
			continue
		}
		flags, err := strconv.ParseUint(f[8], 16, 32)
		if err == nil && flags&(flagDefault|flagAddrconf) != 0 && !slices.Contains(links, f[9]) {
			links = append(links, f[9])
		}
	}
	return links
}

// guardRoutes refuses the write that would cost the host its default route, whatever
// was planned.
func (o *Operation) guardRoutes(n Name, to item.State) error {
	if !switchesForwarding(n, to) {
		return nil
	}
	links, err := o.routedLinks()
	if err != nil {
		return err
	}
	for _, link := range links {
		v, err := o.m.Proc.ReadSysctl(of(ipv6Conf, link, acceptRA).Path())
		if err == nil && v != alwaysAcceptRA {
			return loses(link, v)
		}
	}
	return nil
}

func loses(link, acceptsRA string) *item.Error {
	n := of(ipv6Conf, link, acceptRA)
	return &item.Error{
		Reason: WouldLoseDefaultRoute,
		Message: fmt.Sprintf("the default route of %s comes from a router's advertisement, and the kernel drops it when forwarding is on and %s is %s",
			link, n, acceptsRA),
		Fix: fmt.Sprintf("set %s to 2", n),
	}
}
