package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	remote   = "/usr/local/bin/bootstrap"
	siteFile = "/srv/site.yaml"
)

// profiles are the arguments of every command that takes profiles.
var profiles = []string{"--profile", "kubernetes", "--profile", "kubelet-defaults", "-f", siteFile}

// story is the demo on one host. Each step says what it does, shows the command and what
// it printed, and checks that it did what was said.
type story struct {
	host  testbed.Host
	start time.Time
}

func say(what string) { fmt.Printf("\n## %s\n", what) }

func (s *story) tell(ctx context.Context, b binary) error {
	for remote, local := range map[string]string{remote: b.path, siteFile: "config/samples/site.yaml"} {
		if err := s.host.Push(ctx, local, remote, 0o755); err != nil {
			return err
		}
	}
	before, err := snapshot.Take(ctx, s.host)
	if err != nil {
		return err
	}
	for _, chapter := range []func(context.Context) error{s.look, s.prepare, s.disturb, s.kill, s.giveBack} {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return s.compare(ctx, before)
}

func (s *story) look(ctx context.Context) error {
	say("Will this host do?")
	if err := s.bootstrap(ctx, 0, append([]string{"check"}, profiles...)...); err != nil {
		return err
	}
	say("What would change? Nothing is written")
	return s.bootstrap(ctx, 4, append([]string{"plan", "--exit-code"}, profiles...)...)
}

func (s *story) prepare(ctx context.Context) error {
	say("Prepare it")
	if err := s.bootstrap(ctx, 0, append([]string{"up"}, profiles...)...); err != nil {
		return err
	}
	say("Again: nothing is written")
	if err := s.bootstrap(ctx, 0, "up"); err != nil {
		return err
	}
	say("What holds now")
	return s.bootstrap(ctx, 0, "status")
}

// disturb lets somebody else change what we set.
func (s *story) disturb(ctx context.Context) error {
	say("Somebody changes a sysctl and switches swap on again")
	if err := s.command(ctx, 0, "sysctl", "-w", "net.ipv4.ip_forward=0"); err != nil {
		return err
	}
	if err := s.command(ctx, 0, "swapon", "-a"); err != nil {
		return err
	}
	if err := s.bootstrap(ctx, 1, "status"); err != nil {
		return err
	}
	say("The next run repairs it")
	if err := s.bootstrap(ctx, 0, "up"); err != nil {
		return err
	}
	return s.mustBe(ctx, "1", "cat", "/proc/sys/net/ipv4/ip_forward")
}

// kill gives everything back and lets the next run die in the middle.
func (s *story) kill(ctx context.Context) error {
	say("Give it back, prepare it again, and kill -9 in the middle")
	if err := s.quiet(ctx, 0, remote, "down", "--yes"); err != nil {
		return err
	}
	// strace kills the process at its write to one key: those before it are in force.
	argv := append([]string{
		"strace", "-f", "-qq", "-o", "/dev/null", "-P", "/proc/sys/net/core/somaxconn",
		"-e", "trace=write,pwrite64", "-e", "inject=write,pwrite64:signal=KILL", remote, "up",
	}, profiles...)
	if err := s.command(ctx, 137, argv...); err != nil {
		return err
	}
	say("The next run goes on where the record says")
	if err := s.bootstrap(ctx, 0, append([]string{"up"}, profiles...)...); err != nil {
		return err
	}
	return s.bootstrap(ctx, 0, "status")
}

func (s *story) giveBack(ctx context.Context) error {
	say("What would giving it back do?")
	if err := s.bootstrap(ctx, 0, "down", "--dry-run"); err != nil {
		return err
	}
	say("Give it back")
	if err := s.bootstrap(ctx, 0, "down", "--yes"); err != nil {
		return err
	}
	say("Again: nothing to do")
	return s.bootstrap(ctx, 0, "down", "--yes")
}

// compare shows that the host is as before.
func (s *story) compare(ctx context.Context, before snapshot.Snapshot) error {
	say("Is the host as it was?")
	after, err := snapshot.Take(ctx, s.host)
	if err != nil {
		return err
	}
	left := 0
	for _, line := range snapshot.Diff(before, after) {
		fmt.Println(line)
		if !mayRemain(line) {
			left++
		}
	}
	if left > 0 {
		return fmt.Errorf("%d things are not as before", left)
	}
	fmt.Printf("%d files, sysctls and swap areas are as before. Only the marker that keeps later boots out is new.\n", len(before))
	return nil
}

// mayRemain: the marker of `down`, in its folder, stays until the next `up`.
func mayRemain(line string) bool {
	path := strings.Fields(line)[2]
	return strings.HasPrefix(path, "/var/lib/hostprofile:") || strings.HasPrefix(path, "/var/lib/hostprofile/disabled:")
}
