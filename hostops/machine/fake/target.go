package fake

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// target enters the call and returns what is at path, nil for nothing. The
// directory must be there, and no link may be on the way.
func (p *Process) target(path string) (*node, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	if err := valid(path); err != nil {
		return nil, err
	}
	if err := p.host.parentExists(path); err != nil {
		return nil, err
	}
	n, err := p.host.files.root.walk(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return n, err
}

func (h *Host) parentExists(path string) error {
	dir, _ := split(path)
	parent, err := h.files.root.walk(dir)
	if err != nil {
		return err
	}
	if !parent.mode.IsDir() {
		return fmt.Errorf("%s is not a directory: %w", dir, machine.ErrNotRegular)
	}
	return nil
}

// plain says why a node may not be replaced or removed as a file, nil if it may.
func (n *node) plain() error {
	if !n.mode.IsRegular() || n.owner.Links > 1 || n.mounted {
		return machine.ErrNotRegular
	}
	return nil
}

// undurable reports whether a power cut may take a file's last replacement back.
func (n *node) undurable() bool { return n.time.Equal(machine.NotDurable) }

func (n *node) same(content []byte, mode fs.FileMode) bool {
	return n.mode == mode.Perm() && n.owner.UID == 0 && n.owner.GID == 0 && n.body == string(content)
}
