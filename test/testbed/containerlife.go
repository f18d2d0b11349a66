package testbed

import (
	"context"
	"errors"
	"fmt"
)

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
