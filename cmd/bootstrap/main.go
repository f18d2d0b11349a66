// Command bootstrap prepares a Linux host for Kubernetes and gives it back.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/command"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/service"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/version"
)

func main() {
	syscall.Umask(0o022)    // whatever the caller's: what is made has its mode from the start
	debug.SetGCPercent(400) // most runs are over before there is enough to collect
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	// The first signal ends the run after its present stage. From then on signals have
	// their usual effect again, so that a second one ends the program at once.
	context.AfterFunc(ctx, stop)
	code := command.Run(ctx, command.Environment{
		Args:  os.Args[1:],
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Terminal: command.Terminals{In: isTerminal(os.Stdin), Out: isTerminal(os.Stdout), Err: isTerminal(os.Stderr)},
		Getenv:   os.Getenv,
		Now:      time.Now,
		Root:     os.Geteuid() == 0,
		PID:      os.Getpid(),
		Version:  version.Linked(),
		Service:  service.OfProcess(os.Stderr),
	})
	os.Exit(int(code))
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }
