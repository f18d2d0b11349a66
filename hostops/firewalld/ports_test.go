package firewalld_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

func TestWhatAZoneOpens(t *testing.T) {
	for _, c := range []struct {
		target, has, port string
		open              bool
	}{
		{"default", "8472/udp", "8472/udp", true},
		{"default", "8472/tcp", "8472/udp", false},
		{"default", "8000-9000/udp", "8472/udp", true},
		{"default", "2379/tcp", "2379-2380/tcp", false},
		{"default", "2379-2380/tcp", "2379-2380/tcp", true},
		{"default", "nonsense", "10250/tcp", false},
		{"DROP", "", "10250/tcp", false},
		{"ACCEPT", "", "10250/tcp", true},
	} {
		z := machine.Zone{Target: c.target, Ports: []string{c.has}}
		if got := firewalld.Opens(&z, c.port); got != c.open {
			t.Errorf("target %s with %q opens %s: %v", c.target, c.has, c.port, got)
		}
	}
}
