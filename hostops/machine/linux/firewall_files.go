package linux

import (
	"context"
	"encoding/xml"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

func (f *firewall) fileZoneOf(b machine.Binding) (string, error) {
	bound, err := f.fileBound()
	return bound[b], err
}

// fileBound returns what files bind, each with its zones: they may bind something to several.
func (f *firewall) fileBound() (map[machine.Binding]string, error) {
	zones, err := zonefile.Load(f.files)
	bound := map[machine.Binding]string{}
	join := func(names []string, b machine.Binding, zone string) {
		for _, b.Name = range names {
			if in := strings.Fields(bound[b]); !slices.Contains(in, zone) {
				bound[b] = strings.Join(append(in, zone), " ")
			}
		}
	}
	for _, z := range zones {
		join(z.Interfaces, machine.Binding{Permanent: true}, z.Name)
		join(z.Sources, machine.Binding{Permanent: true, Source: true}, z.Name)
	}
	return bound, err
}

// fileChange lets firewalld's own tool edit its files: it writes them as firewalld does.
func (f *firewall) fileChange(ctx context.Context, zone string, b machine.Binding, verb string) error {
	_, err := f.root.run(ctx, firewallOffline, "--zone="+zone, "--"+verb+"-"+strings.ToLower(noun(b))+"="+b.Name)
	return err
}

func (f *firewall) fileZones() ([]machine.Zone, error) {
	zones, err := zonefile.Load(f.files)
	if err != nil {
		return nil, err
	}
	standard, _ := f.settings()
	zones = slices.DeleteFunc(zones, func(z machine.Zone) bool {
		return len(z.Interfaces)+len(z.Sources) == 0 && z.Name != standard
	})
	for i := range zones {
		for _, s := range zones[i].Services {
			zones[i].Ports = append(zones[i].Ports, f.servicePorts(s)...)
		}
	}
	return zones, nil
}

func (f *firewall) fileTarget(zone string) (string, error) {
	zones, err := zonefile.Load(f.files)
	if err != nil {
		return "", err
	}
	at := slices.IndexFunc(zones, func(z machine.Zone) bool { return z.Name == zone })
	if at < 0 {
		return "", fs.ErrNotExist
	}
	return zones[at].Target, nil
}

// servicePorts reads the ports of a service from its file, none if it cannot be read.
func (f *firewall) servicePorts(service string) []string {
	var in struct {
		Ports []struct {
			Port     string `xml:"port,attr"`
			Protocol string `xml:"protocol,attr"`
		} `xml:"port"`
	}
	for _, dir := range []string{"/etc/firewalld/services/", "/usr/lib/firewalld/services/"} {
		content, err := f.files.Read(dir + service + ".xml")
		if err == nil && xml.Unmarshal(content, &in) == nil {
			break
		}
	}
	var out []string
	for _, p := range in.Ports {
		out = append(out, p.Port+"/"+p.Protocol)
	}
	return out
}
