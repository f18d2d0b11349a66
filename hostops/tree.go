package hostops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/facts"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// offline reports whether the host is the tree of one that does not run.
func (h *Host) offline() bool { return h.options.Tree }

// ofTree takes from the facts what is of the kernel that runs here, and gives them the name
// that the tree's next boot will have.
func (h *Host) ofTree() error {
	h.facts.Kernel, h.facts.Cgroup, h.facts.Memory, h.facts.Warnings = facts.Release{}, facts.Cgroup{}, facts.Memory{}, nil
	text, err := h.machine.Files.Read(paths.EtcHostname)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the name of the host: %w", err)
	}
	h.facts.Hostname = ""
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			h.facts.Hostname = line
			break
		}
	}
	return nil
}

// checkTree says what a tree cannot answer.
func (p *prospect) checkTree(context.Context) []CheckResult {
	return []CheckResult{{
		ID: "floor", Outcome: CheckInfo,
		Message: fmt.Sprintf("%s does not run: kernel, cgroups, modules, live values, addresses and firewalld are not looked at", p.options.Root),
	}}
}
