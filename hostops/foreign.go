package hostops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Foreign is something of others that a host which is given back may still have of a
// cluster. It is never touched.
type Foreign struct {
	// What is the path of a file, or the names of links or of chains.
	What string
	Note string
}

// Foreign lists what is not ours and may surprise whoever uses the host next: files of the
// network plugin, links, and rules about packets. It writes nothing and runs no program.
func (h *Host) Foreign(ctx context.Context) ([]Foreign, error) {
	names, err := h.machine.Files.ReadDir(paths.CNIDir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for a cluster's network: %w", err)
	}
	var out []Foreign
	for _, name := range names {
		out = append(out, Foreign{paths.CNIDir + "/" + name, "left, not ours"})
	}
	s, err := h.machine.Network.Snapshot(ctx)
	if err != nil {
		return out, fmt.Errorf("look for a cluster's links: %w", err)
	}
	var links []string
	for _, l := range s.Links {
		if strings.HasPrefix(l.Name, "cilium_") {
			links = append(links, l.Name)
		}
	}
	if len(links) > 0 {
		out = append(out, Foreign{"links " + strings.Join(links, " "), "left; remove Cilium first, or the host may lose its network"})
	}
	return append(out, h.foreignRules(ctx)...), nil
}
