package firewalld

import (
	"context"
	"fmt"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Uplinks returns the interfaces that have a default route of the main table, sorted.
func Uplinks(ctx context.Context, m *machine.Machine) ([]string, error) {
	s, err := m.Network.Snapshot(ctx)
	if err != nil {
		return nil, fmt.Errorf("look for the interfaces with a default route: %w", err)
	}
	var out []string
	for _, r := range s.Routes {
		if l, ok := s.Link(r.Link); ok && !l.Loopback {
			out = append(out, l.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
