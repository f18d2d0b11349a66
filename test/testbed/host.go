package testbed

import (
	"context"
	"io/fs"
)

// Host is a booted machine of the testbed. Container and VM implement it.
//
// Methods may be called from several goroutines, except for those that change
// whether the host runs: Reboot, Kill, Boot and Stop.
type Host interface {
	// Name is the host's own host name.
	Name() string

	// Login is a command line with which a person gets a root shell.
	Login() string

	// Run runs argv as root and waits for it. A non-zero exit code is in the
	// result; an error means that argv could not be run to its end.
	Run(ctx context.Context, argv ...string) (Result, error)

	// Start runs argv as root in the background, until it ends, is killed,
	// ctx is done or the host goes down.
	Start(ctx context.Context, argv ...string) (Process, error)

	// Push copies a file into the host, making parent folders as needed.
	Push(ctx context.Context, localPath, remotePath string, mode fs.FileMode) error

	// Reboot shuts the host down in good order and boots it again over the
	// same disk. It returns when the host runs.
	Reboot(ctx context.Context) error

	// Kill cuts the power. The host's disk stays as it was at that moment.
	// A host that is down already is no error.
	Kill(ctx context.Context) error

	// Boot starts a host that is down and returns when it runs.
	Boot(ctx context.Context) error

	// Stop cuts the power and removes everything that belongs to the host.
	// It may be called at any time, and more than once.
	Stop(ctx context.Context) error
}

// Process is a program that runs in the background.
type Process interface {
	// Wait waits for the end of the program and returns what it left. It may
	// be called more than once.
	Wait() (Result, error)

	// Kill ends the program and its process group at once. Killing a program
	// that has ended is no error.
	Kill() error

	// Output is what the program has written so far, both streams in order.
	Output() string
}

// Result is what a finished program left behind.
type Result struct {
	Stdout string
	Stderr string

	// ExitCode is the exit status, or 128 plus the signal that ended the
	// program.
	ExitCode int
}
