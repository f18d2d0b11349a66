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

// Prerequisites are the wishes that other wishes bring along.
type Prerequisites struct {
	// Wants are the derived wishes.
	Wants []item.Want
	// Blocked are the wishes that must not be applied nor listed, with the reason.
	Blocked map[item.Key]*item.Error
}

// Prerequisites returns what must hold before the wishes may be applied.
//
// Switching IPv6 forwarding on, be it on all links or on one, makes the kernel delete
// every default route that it learned from a router, and learn no new one, except on
// links whose accept_ra is 2. Links that have such a route therefore get that wish, and
// links that have the value already keep it as one: their route may just be away.
// A wish for another accept_ra of such a link blocks forwarding.
func (o *Operation) Prerequisites(_ context.Context, wants []item.Want) (Prerequisites, error) {
	var p Prerequisites
	masters := forwarders(wants)
	if len(masters) == 0 {
		return p, nil
	}
	links, routed, err := o.routerLinks()
	if err != nil {
		return p, err
	}
	for _, link := range links {
		key := Key(of(ipv6Conf, link, acceptRA))
		switch i := slices.IndexFunc(wants, func(w item.Want) bool { return w.Key == key }); {
		case i < 0:
			p.Wants = append(p.Wants, item.Want{
				Key: key, State: item.Text(alwaysAcceptRA),
				Required: masters[0].Required, SkipMissing: true, Source: masters[0].Source,
			})
		case wants[i].State.Text() != alwaysAcceptRA && slices.Contains(routed, link):
			p.block(masters, loses(link, wants[i].State.Text()))
		}
	}
	return p, nil
}

func (p *Prerequisites) block(masters []item.Want, e *item.Error) {
	p.Blocked = make(map[item.Key]*item.Error)
	for _, w := range masters {
		p.Blocked[w.Key] = e
	}
}

// forwarders returns the wishes that switch IPv6 forwarding on.
func forwarders(wants []item.Want) []item.Want {
	var out []item.Want
	for _, w := range wants {
		if n, err := NameOf(w.Key); err == nil && switchesForwarding(n, w.State) {
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

// routerLinks returns the links to keep at accept_ra 2, and those of them that have a
// router's default route now.
func (o *Operation) routerLinks() (keep, routed []string, err error) {
	if routed, err = o.routedLinks(); err != nil {
		return nil, nil, err
	}
	present, err := o.links(ipv6Conf)
	if ignoreMissing(err) != nil {
		return nil, nil, fmt.Errorf("list the interfaces: %w", err)
	}
	keep = slices.Clone(routed)
	for _, link := range present {
		if link == allLinks || link == defaultLink || slices.Contains(keep, link) {
			continue
		}
		if v, err := o.m.Proc.ReadSysctl(of(ipv6Conf, link, acceptRA).Path()); err == nil && v == alwaysAcceptRA {
			keep = append(keep, link)
		}
	}
	slices.Sort(keep)
	return keep, routed, nil
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

// parseRouterLinks reads /proc/net/ipv6_route: the last two of its ten columns are the
// flags, in hexadecimal, and the link.
func parseRouterLinks(content string) []string {
	var links []string
	for line := range strings.Lines(content) {
		f := strings.Fields(line)
		if len(f) != 10 {
			continue
		}
		flags, err := strconv.ParseUint(f[8], 16, 32)
		if err != nil || flags&flagDefault == 0 || flags&flagAddrconf == 0 || slices.Contains(links, f[9]) {
			continue
		}
		links = append(links, f[9])
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
