package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// ContainerOptions changes what NewContainer makes.
type ContainerOptions struct {
	// Packages are Debian packages to have besides the usual ones. Each set
	// of packages is an image of its own.
	Packages []string

	// Privileged leaves the user namespace out: root is the machine's own
	// root. This gives bpffs and both iptables backends, but swapon there
	// would be the machine's swap. All of /proc/sys but net is read-only.
	Privileged bool

	// Progress is told how the image is built; nil means standard error.
	Progress io.Writer
}

// Container is a systemd container: a systemd, D-Bus and firewalld of its own on
// the machine's kernel. It has no modules, no swap and no sysctls but net.*.
//
// What it writes is kept in memory and survives Reboot and Kill.
type Container struct {
	name   string
	image  *image
	user   bool // has a user namespace
	cell   *cell
	root   string // as seen in the cell
	cgroup *cgroup
	nspawn *nspawn
}

var _ Host = (*Container)(nil)

// NewContainer boots a container and returns when its systemd has started
// everything. It builds the image first if need be. It needs root.
func NewContainer(ctx context.Context, o ContainerOptions) (*Container, error) {
	if err := Missing(ContainerKind); err != nil {
		return nil, fmt.Errorf("a container %w", err)
	}
	c := &Container{name: "hostprofile-" + randomHex(4), user: !o.Privileged}
	if err := c.make(ctx, o); err != nil {
		return nil, fmt.Errorf("make container %s: %w", c.name, errors.Join(err, c.Stop(ctx)))
	}
	return c, nil
}

func (c *Container) make(ctx context.Context, o ContainerOptions) error {
	if err := sweepCgroups(); err != nil {
		return err
	}
	var err error
	if c.image, err = openContainerImage(ctx, o); err != nil {
		return err
	}
	if c.cgroup, err = newCgroup(c.name); err != nil {
		return err
	}
	scratch, err := scratchFolder()
	if err != nil {
		return err
	}
	c.root = filepath.Join(scratch, "root")
	c.cell, err = newCell(
		privateMounts,
		func() error { return mountTmpfs(scratch) },
		func() error { return mountOverlay(c.image.path("tree"), scratch, c.root) },
		func() error { return mountTmpfs("/run") }, // nspawn leaves things there
		c.cgroup.join,
		c.personalise,
	)
	if err != nil {
		return err
	}
	return c.Boot(ctx)
}

func openContainerImage(ctx context.Context, o ContainerOptions) (*image, error) {
	kind := ContainerKind
	if o.Privileged {
		kind = rootKind
	}
	return openImage(ctx, progressWriter(o.Progress), kind, o.Packages)
}

// personalise writes what is this container's own. With a machine-id there,
// systemd does not take the start for the system's first one.
func (c *Container) personalise() error {
	for path, content := range map[string]string{
		"etc/machine-id": machineID() + "\n",
		"etc/hostname":   c.name + "\n",
		"etc/hosts":      "127.0.0.1 localhost\n127.0.1.1 " + c.name + "\n::1 localhost\n",
	} {
		full := filepath.Join(c.root, path)
		if err := os.RemoveAll(full); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			return err
		}
		if !c.user {
			continue
		}
		if err := os.Chown(full, firstUser, firstUser); err != nil {
			return err
		}
	}
	return nil
}

// Name is the container's host name.
func (c *Container) Name() string { return c.name }

// Login is the command line that enters the container.
func (c *Container) Login() string {
	if c.nspawn == nil {
		return "(the container is down)"
	}
	return quoteAll(append(c.enter(), "/bin/bash", "-l"))
}

// Console is what the container has printed since its last start.
func (c *Container) Console() string {
	if c.nspawn == nil {
		return ""
	}
	return c.nspawn.process.Output()
}
