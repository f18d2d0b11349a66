package linux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// program is one that may be run on a host, by the places where hosts have it.
// This file lists all of them. None is run through a shell, none is looked up in
// $PATH, and none inherits our environment.
type program []string

var modprobe = program{"/usr/sbin/modprobe", "/sbin/modprobe", "/usr/bin/modprobe", "/bin/modprobe"}

var firewallOffline = program{"/usr/bin/firewall-offline-cmd", "/usr/sbin/firewall-offline-cmd"}

var semanage = program{"/usr/sbin/semanage", "/sbin/semanage"}

// environment makes messages English and keeps a caller's variables out.
var environment = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"}

// patience is how long a program may ignore the end of its context.
const patience = 2 * time.Second

// exitError is a program that ran and said no.
type exitError struct {
	program string
	code    int
	message string
}

func (e *exitError) Error() string {
	return fmt.Sprintf("%s: exit status %d: %s", e.program, e.code, e.message)
}

// run runs a program of the host's own file system, and returns what it printed.
func (r *root) run(ctx context.Context, p program, args ...string) (string, error) {
	for _, path := range p {
		out, err := r.runAt(ctx, path, args)
		if !errors.Is(err, fs.ErrNotExist) {
			return out, err
		}
	}
	return "", fmt.Errorf("the host has no %s: %w", p[len(p)-1], exec.ErrNotFound)
}

func (r *root) runAt(ctx context.Context, path string, args []string) (string, error) {
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = environment, "/", patience
	if r.path != "/" {
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: r.path}
	}
	var out, message bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &message
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && ctx.Err() == nil {
		err = &exitError{path, exit.ExitCode(), strings.TrimSpace(message.String())}
	}
	return out.String(), errors.Join(ctx.Err(), err)
}
