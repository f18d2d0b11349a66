package main

import "context"

// profiles are the arguments of every command that takes profiles.
var profiles = []string{"--profile", "kubernetes", "--profile", "kubelet-defaults", "-f", siteFile}

// look shows what bootstrap says of a host before it changes anything.
func (s *story) look(ctx context.Context) error {
	s.say("Will this host do?")
	if err := s.bootstrap(ctx, 0, append([]string{"check"}, profiles...)...); err != nil {
		return err
	}
	s.say("What would change? Nothing is written")
	return s.bootstrap(ctx, 4, append([]string{"plan", "--exit-code"}, profiles...)...)
}

func (s *story) prepare(ctx context.Context) error {
	s.say("Prepare it")
	if err := s.bootstrap(ctx, 0, append([]string{"up"}, profiles...)...); err != nil {
		return err
	}
	s.say("Again: nothing is written")
	if err := s.bootstrap(ctx, 0, "up"); err != nil {
		return err
	}
	s.say("What holds now")
	return s.bootstrap(ctx, 0, "status")
}

// disturb lets somebody else change what we set.
func (s *story) disturb(ctx context.Context) error {
	s.say("Somebody changes a sysctl and switches swap on again")
	if err := s.command(ctx, 0, "sysctl", "-w", "net.ipv4.ip_forward=0"); err != nil {
		return err
	}
	if err := s.command(ctx, 0, "swapon", "-a"); err != nil {
		return err
	}
	if err := s.bootstrap(ctx, 1, "status"); err != nil {
		return err
	}
	s.say("The next run repairs it")
	if err := s.bootstrap(ctx, 0, "up"); err != nil {
		return err
	}
	return s.mustBe(ctx, "1", "sysctl", "-n", "net.ipv4.ip_forward")
}

// kill gives everything back and lets the next run die in the middle.
func (s *story) kill(ctx context.Context) error {
	s.say("Give it back, prepare it again, and kill -9 in the middle")
	if err := s.quiet(ctx, 0, remoteBootstrap, "down", "--yes"); err != nil {
		return err
	}
	// strace kills the process at its write to one key: those before it are in force.
	argv := append([]string{
		"strace", "-f", "-qq", "-o", "/dev/null", "-P", "/proc/sys/net/core/somaxconn",
		"-e", "trace=write,pwrite64", "-e", "inject=write,pwrite64:signal=KILL", remoteBootstrap, "up",
	}, profiles...)
	if err := s.command(ctx, 137, argv...); err != nil {
		return err
	}
	s.say("The next run goes on where the record says")
	if err := s.bootstrap(ctx, 0, append([]string{"up"}, profiles...)...); err != nil {
		return err
	}
	return s.bootstrap(ctx, 0, "status")
}

// bootstrap runs bootstrap on the host, which must end with the code.
func (s *story) bootstrap(ctx context.Context, code int, args ...string) error {
	return s.command(ctx, code, append([]string{remoteBootstrap}, args...)...)
}
