package linux

import (
	"context"
	"maps"
	"slices"

	"github.com/godbus/dbus/v5"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The interfaces of firewalld's objects.
const (
	zoneFace       = firewallName + ".zone."
	configFace     = firewallName + ".config."
	configZoneFace = firewallName + ".config.zone."
)

// noun is how a method's name spells what it is about.
func noun(b machine.Binding) string {
	if b.Source {
		return "Source"
	}
	return "Interface"
}

func (f *firewall) liveZoneOf(ctx context.Context, b machine.Binding) (zone string, err error) {
	path, face := firewallPath, zoneFace
	if b.Permanent {
		path, face = configPath, configFace
	}
	return zone, meant(f.bus.call(ctx, path, face+"getZoneOf"+noun(b), []any{b.Name}, &zone))
}

// activeZones are the zones that something is bound to: the name, and the names of what is.
type activeZones map[string]map[string][]string

func (f *firewall) liveActive(ctx context.Context) (zones activeZones, err error) {
	return zones, f.bus.call(ctx, firewallPath, zoneFace+"getActiveZones", nil, &zones)
}

func (f *firewall) liveBound(ctx context.Context) (map[machine.Binding]string, error) {
	zones, err := f.liveActive(ctx)
	bound := map[machine.Binding]string{}
	for zone, in := range zones {
		for _, name := range in["interfaces"] {
			bound[machine.Binding{Name: name}] = zone
		}
		for _, name := range in["sources"] {
			bound[machine.Binding{Name: name, Source: true}] = zone
		}
	}
	return bound, err
}

func (f *firewall) liveChange(ctx context.Context, zone string, b machine.Binding, verb string) error {
	if !b.Permanent {
		var bound string
		return f.bus.call(ctx, firewallPath, zoneFace+verb+noun(b), []any{zone, b.Name}, &bound)
	}
	path, err := f.zoneObject(ctx, zone)
	if err != nil {
		return err
	}
	return f.bus.call(ctx, path, configZoneFace+verb+noun(b), []any{b.Name})
}

// zoneObject returns the object for the files of a zone.
func (f *firewall) zoneObject(ctx context.Context, zone string) (path dbus.ObjectPath, err error) {
	return path, f.bus.call(ctx, configPath, configFace+"getZoneByName", []any{zone}, &path)
}

func (f *firewall) liveDrop(ctx context.Context, zone string) error {
	path, err := f.zoneObject(ctx, zone)
	if err != nil {
		return meant(err)
	}
	return meant(f.bus.call(ctx, path, configZoneFace+"loadDefaults", nil))
}

func (f *firewall) liveZones(ctx context.Context) ([]machine.Zone, error) {
	var standard string
	if err := f.bus.call(ctx, firewallPath, firewallName+".getDefaultZone", nil, &standard); err != nil {
		return nil, err
	}
	active, err := f.liveActive(ctx)
	if err != nil {
		return nil, err
	}
	names := slices.Collect(maps.Keys(active))
	if active[standard] == nil {
		names = append(names, standard)
	}
	slices.Sort(names)
	services := map[string][]string{}
	var zones []machine.Zone
	for _, name := range names {
		z, err := f.liveZone(ctx, name, services)
		if err != nil {
			return nil, err
		}
		zones = append(zones, z)
	}
	return zones, nil
}

func (f *firewall) liveSettings(ctx context.Context, zone string) (s map[string]dbus.Variant, err error) {
	return s, meant(f.bus.call(ctx, firewallPath, zoneFace+"getZoneSettings2", []any{zone}, &s))
}

func (f *firewall) liveTarget(ctx context.Context, zone string) (string, error) {
	s, err := f.liveSettings(ctx, zone)
	target, _ := s["target"].Value().(string)
	return target, err
}

// liveZone reads one zone, with the ports of its services.
func (f *firewall) liveZone(ctx context.Context, name string, services map[string][]string) (machine.Zone, error) {
	z := machine.Zone{Name: name}
	s, err := f.liveSettings(ctx, name)
	if err != nil {
		return z, err
	}
	z.Target, _ = s["target"].Value().(string)
	z.Interfaces, _ = s["interfaces"].Value().([]string)
	z.Sources, _ = s["sources"].Value().([]string)
	z.Services, _ = s["services"].Value().([]string)
	z.Ports = ports(s["ports"])
	for _, service := range z.Services {
		if _, known := services[service]; !known {
			var of map[string]dbus.Variant
			if err := f.bus.call(ctx, firewallPath, firewallName+".getServiceSettings2", []any{service}, &of); err != nil {
				return z, meant(err)
			}
			services[service] = ports(of["ports"])
		}
		z.Ports = append(z.Ports, services[service]...)
	}
	return z, nil
}

// ports reads a list of pairs of port and protocol.
func ports(v dbus.Variant) []string {
	var out []string
	pairs, _ := v.Value().([][]any)
	for _, p := range pairs {
		if len(p) != 2 {
			continue
		}
		number, _ := p[0].(string)
		protocol, _ := p[1].(string)
		out = append(out, number+"/"+protocol)
	}
	return out
}
