package sysctl

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// follow is the effect on a key that holds its master's value.
func follow(from, to string) item.Effect {
	return item.Effect{Follows: item.Text(from), To: item.Text(to)}
}

// toLinks is one effect on an attribute of every present interface, and of default if
// that is asked for. A kernel without the directory has none.
func (o *Operation) toLinks(dir, attribute string, withDefault bool, e item.Effect) ([]item.Effect, error) {
	links, err := o.links(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var effects []item.Effect
	for _, link := range links {
		if link == allLinks || link == defaultLink && !withDefault {
			continue
		}
		e.Key = Key(of(dir, link, attribute))
		effects = append(effects, e)
	}
	return effects, nil
}

// forwardIPv4: ip_forward sets forwarding everywhere and turns the machine from a host,
// which accepts redirects, into a router, which does not. The kernel does so whenever
// the number changes, from 1 to 2 as well.
func (o *Operation) forwardIPv4(from, to string) ([]item.Effect, error) {
	e := follow(from, to)
	e.Forced = true
	effects, err := o.toLinks("net.ipv4.conf", "forwarding", true, e)
	redirects := follow(not(from), not(to))
	redirects.Key, redirects.Forced = Key("net.ipv4.conf.all.accept_redirects"), true
	return append(effects, redirects), err
}

func not(number string) string {
	if number == "0" {
		return "1"
	}
	return "0"
}

// allowCongestionControl: an algorithm that becomes the default becomes one that every
// program may choose, and stays so when the default is given back.
func (o *Operation) allowCongestionControl(_, to string) ([]item.Effect, error) {
	const allowed Name = "net.ipv4.tcp_allowed_congestion_control"
	text, err := o.m.Proc.ReadSysctl(allowed.Path())
	if err != nil || slices.Contains(strings.Fields(text), to) {
		return nil, ignoreMissing(err)
	}
	return []item.Effect{{Key: Key(allowed), To: Value(allowed, text+" "+to), Forced: true}}, nil
}

// pathManagers are the numbers that the older key has for what the newer one names.
var pathManagers = map[string]string{"kernel": "0", "userspace": "1"}

// renamePathManager: path_manager, since 6.16, sets the older pm_type.
func (o *Operation) renamePathManager(from, to string) ([]item.Effect, error) {
	return o.present("net.mptcp.pm_type", pathManagers[from], pathManagers[to])
}

func (o *Operation) numberPathManager(from, to string) ([]item.Effect, error) {
	names := make(map[string]string)
	for name, number := range pathManagers {
		names[number] = name
	}
	return o.present("net.mptcp.path_manager", names[from], names[to])
}

// present is a forced effect on a key that not every kernel has.
func (o *Operation) present(n Name, from, to string) ([]item.Effect, error) {
	if _, err := o.m.Proc.ReadSysctl(n.Path()); err != nil || to == "" {
		return nil, ignoreMissing(err)
	}
	e := follow(from, to)
	e.Key, e.Forced = Key(n), true
	return []item.Effect{e}, nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
