package zonefile

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Dirs are the folders with zones; a file hides one of the same name in a later folder.
var Dirs = []string{Own, "/usr/lib/firewalld/zones"}

// Own is the folder with the zones that were changed on this host.
const Own = "/etc/firewalld/zones"

// Path returns where a zone that was changed on this host has its file.
func Path(zone string) string { return Own + "/" + zone + ".xml" }

// Backup returns where firewalld keeps what the file held before its last change.
func Backup(zone string) string { return Path(zone) + ".old" }

// file is the part of a zone file that is read.
type file struct {
	XMLName    xml.Name `xml:"zone"`
	Target     string   `xml:"target,attr"`
	Interfaces []named  `xml:"interface"`
	Sources    []source `xml:"source"`
	Services   []named  `xml:"service"`
	Ports      []port   `xml:"port"`
}

type named struct {
	Name string `xml:"name,attr"`
}

type source struct {
	Address string `xml:"address,attr"`
	MAC     string `xml:"mac,attr"`
	IPSet   string `xml:"ipset,attr"`
}

func (s source) name() string {
	switch {
	case s.Address != "":
		return s.Address
	case s.MAC != "":
		return s.MAC
	default:
		return "ipset:" + s.IPSet
	}
}

type port struct {
	Port     string `xml:"port,attr"`
	Protocol string `xml:"protocol,attr"`
}

// Parse reads the content of a zone file. The ports of services are in files of their
// own, and are not among the ports.
func Parse(name string, content []byte) (machine.Zone, error) {
	var f file
	if err := xml.Unmarshal(content, &f); err != nil {
		return machine.Zone{}, fmt.Errorf("zone %s: %w", name, err)
	}
	z := machine.Zone{Name: name, Target: f.Target}
	if z.Target == "" {
		z.Target = "default"
	}
	for _, i := range f.Interfaces {
		z.Interfaces = append(z.Interfaces, i.Name)
	}
	for _, s := range f.Sources {
		z.Sources = append(z.Sources, s.name())
	}
	for _, s := range f.Services {
		z.Services = append(z.Services, s.Name)
	}
	for _, p := range f.Ports {
		z.Ports = append(z.Ports, p.Port+"/"+p.Protocol)
	}
	return z, nil
}

// Reader is the part of machine.Files that is needed here.
type Reader interface {
	Read(path string) ([]byte, error)
	ReadDir(path string) ([]string, error)
}

// Load reads all zones, ordered by name within each folder.
func Load(files Reader) ([]machine.Zone, error) {
	var zones []machine.Zone
	seen := map[string]bool{}
	for _, dir := range Dirs {
		names, err := files.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, base := range names {
			name, ok := strings.CutSuffix(base, ".xml")
			if !ok || seen[name] {
				continue
			}
			seen[name] = true
			content, err := files.Read(dir + "/" + base)
			if err != nil {
				return nil, err
			}
			z, err := Parse(name, content)
			if err != nil {
				return nil, err
			}
			zones = append(zones, z)
		}
	}
	return zones, nil
}
