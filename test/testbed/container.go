package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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

// Boot starts the container and returns when its systemd has started everything.
func (c *Container) Boot(ctx context.Context) error {
	if c.cell == nil {
		return fmt.Errorf("boot %s: it has been removed", c.name)
	}
	if c.nspawn != nil && c.nspawn.runs() {
		return nil
	}
	var err error
	if c.nspawn, err = startNspawn(ctx, c); err != nil {
		return fmt.Errorf("boot %s: %w", c.name, err)
	}
	return nil
}

// Kill ends every process of the container at once. The machine's kernel goes
// on, so unlike a VM's nothing that was written is lost.
func (c *Container) Kill(context.Context) error {
	if c.nspawn == nil {
		return nil
	}
	return c.nspawn.kill()
}

// Reboot lets the container's systemd shut down and starts the container again.
func (c *Container) Reboot(ctx context.Context) error {
	if _, err := c.Run(ctx, "systemctl", "--no-block", "reboot"); err != nil && c.nspawn.runs() {
		return fmt.Errorf("reboot %s: %w", c.name, err)
	}
	if err := c.nspawn.waitForReboot(ctx); err != nil {
		return fmt.Errorf("reboot %s: %w", c.name, err)
	}
	return c.Boot(ctx)
}

// Stop kills the container and removes everything of it.
func (c *Container) Stop(ctx context.Context) error {
	problems := []error{c.Kill(ctx)}
	if c.cell != nil {
		c.cell.close()
		c.cell = nil
	}
	if c.cgroup != nil {
		problems = append(problems, c.cgroup.remove())
		c.cgroup = nil
	}
	if c.image != nil {
		problems = append(problems, c.image.Close())
		c.image = nil
	}
	return errors.Join(problems...)
}

// Run runs argv in the container and waits for it.
func (c *Container) Run(ctx context.Context, argv ...string) (Result, error) {
	p, err := c.exec(ctx, nil, argv)
	if err != nil {
		return Result{}, err
	}
	return p.Wait()
}

// Start runs argv in the container in the background.
func (c *Container) Start(ctx context.Context, argv ...string) (Process, error) {
	return c.exec(ctx, nil, argv)
}

// Push copies a file into the container.
func (c *Container) Push(ctx context.Context, localPath, remotePath string, mode fs.FileMode) error {
	return push(ctx, c.exec, localPath, remotePath, mode)
}

func (c *Container) exec(ctx context.Context, stdin io.Reader, argv []string) (Process, error) {
	if c.nspawn == nil || !c.nspawn.runs() {
		return nil, fmt.Errorf("run %s: %s is down", argv[0], c.name)
	}
	full := append(c.enter(), "env", "-i", "PATH="+guestPath, "HOME=/root", "LANG=C.UTF-8", "setsid")
	full = append(full, argv...)
	cmd := exec.CommandContext(ctx, full[0], full[1:]...)
	cmd.Dir = "/"
	cmd.Stdin = stdin
	return startGroup(ctx, c.cell, cmd, func() int { return entered(cmd.Process.Pid) })
}

// entered is the process that an nsenter has started in the container, by setsid
// in a group of its own. That one must be killed, and nsenter left to reap it:
// else the container keeps a zombie, for which its shutdown waits ten seconds.
func entered(nsenter int) int {
	content, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", nsenter, nsenter))
	if err != nil {
		return nsenter
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil {
		return nsenter // it has not come to start it
	}
	return child
}

// enter is the start of a command line that goes on in the container.
func (c *Container) enter() []string {
	argv := []string{"nsenter", "--target", strconv.Itoa(c.nspawn.leader)}
	if c.user {
		argv = append(argv, "--user")
	}
	return append(argv, "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--root", "--wd", "--")
}
