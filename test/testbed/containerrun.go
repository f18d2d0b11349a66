package testbed

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

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
