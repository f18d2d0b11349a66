package firewalld

import (
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Managed is an interface that NetworkManager manages.
type Managed struct {
	Interface string
	// Connection is the id of its connection, empty if it has none.
	Connection string
}

// Message says in a sentence what is the matter.
func (m *Managed) Message() string {
	return "NetworkManager manages " + m.Interface + ", and binds it to the zone of its connection whenever it brings that up"
}

// Fix is the command that makes NetworkManager agree with the zone trusted.
func (m *Managed) Fix() string {
	if m.Connection == "" {
		return "nmcli device set " + m.Interface + " managed no"
	}
	return "nmcli connection modify " + m.Connection + " connection.zone " + Trusted
}

// TrustedNames returns the names and wildcards that are wished to be trusted.
func TrustedNames(want item.Desired) []string {
	var out []string
	for _, w := range want.Wants {
		if r, ok := Parse(w.Key); ok && r.Zone == Trusted && r.Binding.Permanent && !w.Unmanaged {
			out = append(out, r.Binding.Name)
		}
	}
	return out
}

// ManagedInterfaces returns the interfaces that the names and wildcards stand for and that
// NetworkManager manages. It says so in a file for each interface.
func ManagedInterfaces(m *machine.Machine, names []string) []Managed {
	if len(names) == 0 || !managerRuns(m) {
		return nil
	}
	links, err := m.Proc.ListSysctl("net/ipv4/conf")
	if err != nil {
		return nil
	}
	var out []Managed
	for _, link := range links {
		for _, name := range names {
			if link == "all" || link == "default" || !matches(name, link) {
				continue
			}
			if c, managed := managedBy(m, link); managed {
				out = append(out, Managed{Interface: link, Connection: c})
			}
			break
		}
	}
	return out
}

// managerRuns reports whether NetworkManager runs, as far as systemd knows: its files stay
// when it ends.
func managerRuns(m *machine.Machine) bool {
	if _, err := m.Files.Lstat(paths.ActiveUnits); err != nil {
		return true // nobody says that it does not
	}
	_, err := m.Files.Lstat(paths.ActiveUnits + "/invocation:NetworkManager.service")
	return err == nil
}

func managedBy(m *machine.Machine, link string) (connection string, managed bool) {
	index, err := m.Network.LinkIndex(link)
	if err != nil {
		return "", false
	}
	content, err := m.Files.Read(paths.NMDevices + "/" + strconv.Itoa(index))
	if err != nil {
		return "", false
	}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		switch name {
		case "managed":
			managed = value == "true" || value == "1"
		case "connection-uuid":
			connection = value
		}
	}
	return connection, managed
}
