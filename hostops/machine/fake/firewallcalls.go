package fake

import (
	"context"
	"io/fs"
	"maps"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

// ask begins a call that firewalld answers if it runs.
func (p *Process) ask(ctx context.Context) error {
	if err := p.enter(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.host.firewall.fault
}

// Look implements machine.Firewall.
func (p *Process) Look(ctx context.Context) (machine.Firewalld, error) {
	err := p.ask(ctx)
	defer p.host.mu.Unlock()
	f := &p.host.firewall
	switch {
	case err != nil:
		return machine.Firewalld{}, err
	case f.state == machine.FirewallAbsent:
		return machine.Firewalld{State: f.state}, nil
	}
	d := machine.Firewalld{State: f.state, Backend: f.backend, DefaultZone: f.standard}
	if f.state == machine.FirewallRunning {
		d.Version = f.version
	}
	return d, nil
}

// ZoneOf implements machine.Firewall.
func (p *Process) ZoneOf(ctx context.Context, b machine.Binding) (string, error) {
	err := p.ask(ctx)
	defer p.host.mu.Unlock()
	if err != nil {
		return "", err
	}
	return p.host.zoneOf(b), nil
}

// Bound implements machine.Firewall.
func (p *Process) Bound(ctx context.Context) (map[machine.Binding]string, error) {
	err := p.ask(ctx)
	defer p.host.mu.Unlock()
	if err != nil {
		return nil, err
	}
	bound := map[machine.Binding]string{}
	maps.Copy(bound, p.host.firewall.bound)
	for _, z := range p.host.zones() {
		for _, name := range z.Interfaces {
			b := machine.Binding{Name: name, Permanent: true}
			bound[b] = p.host.zoneOf(b)
		}
		for _, name := range z.Sources {
			b := machine.Binding{Name: name, Source: true, Permanent: true}
			bound[b] = p.host.zoneOf(b)
		}
	}
	return bound, nil
}

// Bind implements machine.Firewall.
func (p *Process) Bind(ctx context.Context, zone string, b machine.Binding) error {
	return p.rebind(ctx, "bind", zone, b, true)
}

// Unbind implements machine.Firewall.
func (p *Process) Unbind(ctx context.Context, zone string, b machine.Binding) error {
	return p.rebind(ctx, "unbind", zone, b, false)
}

func (p *Process) rebind(ctx context.Context, op, zone string, b machine.Binding, on bool) error {
	err := p.ask(ctx)
	h := p.host
	defer h.mu.Unlock()
	if err != nil {
		return wrong(op, b.Name, err)
	}
	now := h.zoneOf(b)
	switch _, known := h.zone(zone); {
	case on && now == zone, !on && now == "":
		return nil
	case now != "" && now != zone:
		return wrong(op, b.Name, machine.ErrZoneConflict)
	case !known:
		return wrong(op, b.Name, fs.ErrNotExist)
	case h.firewall.state != machine.FirewallRunning && (!b.Permanent || h.firewall.state == machine.FirewallAbsent):
		return wrong(op, b.Name, machine.ErrNotRunning)
	}
	if b.Permanent {
		if err := h.faults.change(zonefile.Path(zone), true); err != nil {
			return wrong(op, b.Name, err)
		}
	}
	if err := h.before(p.id, op, zone, b.Name); err != nil {
		return err
	}
	h.rebind(zone, b, on)
	return h.after(p.id, nil)
}

// DropZoneFile implements machine.Firewall.
func (p *Process) DropZoneFile(ctx context.Context, zone string) error {
	err := p.ask(ctx)
	h := p.host
	defer h.mu.Unlock()
	if err != nil {
		return wrong("drop", zone, err)
	}
	path := zonefile.Path(zone)
	n, err := h.files.root.resolve(path)
	if err == nil && builtinZones[zone] == "" {
		err = fs.ErrNotExist
	}
	if err != nil {
		return wrong("drop", path, err)
	}
	if err := h.before(p.id, "drop", path, ""); err != nil {
		return err
	}
	if h.firewall.state == machine.FirewallRunning {
		h.putFile(zonefile.Backup(zone), n.body)
	}
	h.dropFile(path)
	return h.after(p.id, nil)
}

// Zones implements machine.Firewall.
func (p *Process) Zones(ctx context.Context) ([]machine.Zone, error) {
	err := p.ask(ctx)
	h := p.host
	defer h.mu.Unlock()
	if err != nil {
		return nil, err
	}
	var out []machine.Zone
	for _, z := range h.zones() {
		if h.firewall.state == machine.FirewallRunning {
			z.Interfaces, z.Sources = nil, nil
			for b, zone := range h.firewall.bound {
				if zone == z.Name {
					list := listOf(&z, b)
					*list = append(*list, b.Name)
					slices.Sort(*list)
				}
			}
		}
		if len(z.Interfaces)+len(z.Sources) > 0 || z.Name == h.firewall.standard {
			out = append(out, z)
		}
	}
	return out, nil
}

// ZoneTarget implements machine.Firewall.
func (p *Process) ZoneTarget(ctx context.Context, zone string) (string, error) {
	err := p.ask(ctx)
	defer p.host.mu.Unlock()
	if err != nil {
		return "", err
	}
	z, known := p.host.zone(zone)
	if !known {
		return "", wrong("look at", zone, fs.ErrNotExist)
	}
	return z.Target, nil
}
