package fake

import (
	"context"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// firewall is firewalld's runtime configuration. The permanent one is in the files.
type firewall struct {
	state     machine.FirewallState
	version   string
	backend   string
	standard  string
	bound     map[machine.Binding]string
	fault     error // what every call that firewalld answers meets
	listeners []*eventListener
}

func (f *firewall) clone() firewall {
	c := *f
	c.bound, c.listeners = cloneMap(f.bound), nil
	return c
}

// builtinZones are the zones that firewalld brings along, by their target.
var builtinZones = map[string]string{"public": "default", "internal": "default", "trusted": "ACCEPT", "drop": "DROP"}

// HasFirewalld is a host with firewalld of the given backend, which runs.
func HasFirewalld(backend string) Option { return func(s *setup) { s.firewall = backend } }

func (s *setup) buildFirewall(h *Host) {
	h.firewall.state = machine.FirewallAbsent
	if s.firewall == "" {
		return
	}
	h.firewall = firewall{state: machine.FirewallRunning, version: "1.3.3", backend: s.firewall, standard: "public"}
	for name, target := range builtinZones {
		h.files.root = h.files.root.mkdirs(zonefile.Dirs[1], newFile(name+".xml", render(machine.Zone{Target: target}), 0o644, h.now))
	}
	h.files.root = h.files.root.mkdirs(zonefile.Own, newFile(".keep", "", 0o644, h.now)).drop(zonefile.Own, ".keep")
}

// SetFirewalld starts, stops, masks or removes firewalld. One that starts binds what the
// files bind; one that ends forgets the rest.
func (h *Host) SetFirewalld(s machine.FirewallState) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.setFirewalld(s)
}

func (h *Host) setFirewalld(s machine.FirewallState) {
	if h.firewall.state = s; s == machine.FirewallRunning {
		h.loadZones()
		h.tellEvent(machine.FirewallStarted)
		return
	}
	h.firewall.bound = nil
	h.tellEvent(machine.FirewallEnded)
}

// ReloadFirewalld is what firewall-cmd --reload does: what only runs is forgotten.
func (h *Host) ReloadFirewalld() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.loadZones()
	h.tellEvent(machine.FirewallReloaded)
}

// SetDefaultZone makes a zone the default one.
func (h *Host) SetDefaultZone(zone string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.firewall.standard = zone
	h.tellEvent(machine.FirewallChanged)
}

// SetZone moves a binding to a zone, as an admin does; no zone takes it out of its zone.
func (h *Host) SetZone(b machine.Binding, zone string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now := h.zoneOf(b); now != "" {
		h.rebind(now, b, false)
	}
	if zone != "" {
		h.rebind(zone, b, true)
	}
}

// FailFirewalld makes every call that firewalld answers fail, until err is nil.
func (h *Host) FailFirewalld(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.firewall.fault = err
}

func (h *Host) loadZones() {
	h.firewall.bound = nil
	for _, z := range h.zones() {
		for _, name := range z.Interfaces {
			put(&h.firewall.bound, machine.Binding{Name: name}, z.Name)
		}
		for _, name := range z.Sources {
			put(&h.firewall.bound, machine.Binding{Source: true, Name: name}, z.Name)
		}
	}
}

// zones are the zones as the files say.
func (h *Host) zones() []machine.Zone {
	zones, err := zonefile.Load(tree{h})
	if err != nil {
		return nil
	}
	return zones
}

func (h *Host) zone(name string) (z machine.Zone, known bool) {
	for _, z := range h.zones() {
		if z.Name == name {
			return z, true
		}
	}
	return z, false
}

func (h *Host) zoneOf(b machine.Binding) string {
	if !b.Permanent {
		return h.firewall.bound[b]
	}
	var in []string
	for _, z := range h.zones() {
		if slices.Contains(*listOf(&z, b), b.Name) {
			in = append(in, z.Name)
		}
	}
	return strings.Join(in, " ")
}

func listOf(z *machine.Zone, b machine.Binding) *[]string {
	if b.Source {
		return &z.Sources
	}
	return &z.Interfaces
}

// rebind makes or ends a binding.
func (h *Host) rebind(zone string, b machine.Binding, on bool) {
	if !b.Permanent {
		if !on {
			zone = ""
		}
		put(&h.firewall.bound, b, zone)
		h.tellEvent(machine.FirewallChanged)
		return
	}
	z, _ := h.zone(zone)
	list := listOf(&z, b)
	*list = slices.DeleteFunc(slices.Clone(*list), func(n string) bool { return n == b.Name })
	if on {
		*list = append(*list, b.Name)
	}
	h.writeZone(zone, render(z))
}

// writeZone replaces a zone's file and keeps the old one, as firewalld does.
func (h *Host) writeZone(zone, content string) {
	if n, err := h.files.root.resolve(zonefile.Path(zone)); err == nil {
		h.putFile(zonefile.Backup(zone), n.body)
	}
	h.putFile(zonefile.Path(zone), content)
}

func (h *Host) putFile(path, content string) {
	dir, name := split(path)
	leaf := newFile(name, content, 0o644, h.now)
	h.files.set(true, func(root *node) *node { return root.mkdirs(dir, leaf) })
}

func (h *Host) dropFile(path string) {
	dir, name := split(path)
	h.files.set(true, func(root *node) *node { return root.drop(dir, name) })
}

// render writes a zone file the way firewalld does.
func render(z machine.Zone) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<zone")
	if z.Target != "" && z.Target != "default" {
		b.WriteString(` target="` + z.Target + `"`)
	}
	b.WriteString(">\n")
	for _, name := range z.Interfaces {
		b.WriteString(`  <interface name="` + name + "\"/>\n")
	}
	for _, name := range z.Sources {
		b.WriteString(`  <source address="` + name + "\"/>\n")
	}
	for _, name := range z.Services {
		b.WriteString(`  <service name="` + name + "\"/>\n")
	}
	for _, name := range z.Ports {
		number, protocol, _ := strings.Cut(name, "/")
		b.WriteString(`  <port port="` + number + `" protocol="` + protocol + "\"/>\n")
	}
	b.WriteString("</zone>\n")
	return b.String()
}

// tree lets the files of the host be read while its mutex is held.
type tree struct{ h *Host }

func (t tree) Read(path string) ([]byte, error) {
	n, err := t.h.files.root.resolve(path)
	if err != nil {
		return nil, err
	}
	return []byte(n.body), nil
}

func (t tree) ReadDir(path string) ([]string, error) {
	n, err := t.h.files.root.resolve(path)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, kid := range n.kids {
		names = append(names, kid.name)
	}
	return names, nil
}

// eventListener is somebody who waits for events of firewalld.
type eventListener struct{ events chan machine.FirewallEvent }

func (h *Host) tellEvent(e machine.FirewallEvent) {
	for _, l := range h.firewall.listeners {
		select {
		case l.events <- e:
		default:
		}
	}
}

// FirewallEvents implements machine.Firewall.
func (p *Process) FirewallEvents(ctx context.Context) (<-chan machine.FirewallEvent, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	l := &eventListener{events: make(chan machine.FirewallEvent, 64)}
	h.firewall.listeners = append(h.firewall.listeners, l)
	context.AfterFunc(ctx, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.firewall.listeners = slices.DeleteFunc(h.firewall.listeners, func(o *eventListener) bool { return o == l })
		close(l.events)
	})
	return l.events, nil
}

func (f *firewall) print(b *strings.Builder) {
	var lines []string
	for binding, zone := range f.bound {
		lines = append(lines, "firewalld "+zone+" has "+binding.Name+"\n")
	}
	slices.Sort(lines)
	b.WriteString(strings.Join(lines, ""))
}
