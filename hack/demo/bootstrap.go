package main

import "context"

// with are the arguments of a command that takes profiles. Here everything is done by
// hand, and by the agent: the unit would repair what the story disturbs before it is seen.
func (s *story) with(command ...string) []string {
	if command[0] == "up" {
		command = append(command, "--no-unit")
	}
	for _, name := range s.builtin {
		command = append(command, "--profile", name)
	}
	return append(command, "-f", siteFile)
}

func (s *story) check(ctx context.Context) error {
	s.say("Will this host do?")
	return s.bootstrap(ctx, 0, words{"'bootstrap up' will mend"}, s.with("check")...)
}

func (s *story) plan(ctx context.Context) error {
	s.say("What would change? Nothing is written")
	return s.bootstrap(ctx, 4, words{"Nothing was written."}, s.with("plan", "--exit-code")...)
}

func (s *story) prepare(ctx context.Context) error {
	s.say("Prepare it")
	if err := s.bootstrap(ctx, 0, words{"net.ipv4.ip_forward", "0 -> 1"}, s.with("up")...); err != nil {
		return err
	}
	s.say("Again: nothing is written")
	if err := s.bootstrap(ctx, 0, words{"Nothing to do", "0 written"}, "up"); err != nil {
		return err
	}
	s.say("What holds now")
	return s.bootstrap(ctx, 0, words{"Ready."}, "status")
}

// disturb lets somebody else change what we set.
func (s *story) disturb(ctx context.Context) error {
	s.say("Somebody else changes what was set")
	for _, change := range s.foreign {
		if err := s.command(ctx, 0, nil, change...); err != nil {
			return err
		}
	}
	if err := s.bootstrap(ctx, 1, words{"net.ipv4.ip_forward", "changed by others"}, "status"); err != nil {
		return err
	}
	s.say("The next run repairs it")
	if err := s.bootstrap(ctx, 0, words{"0 -> 1, repaired"}, "up"); err != nil {
		return err
	}
	if err := s.quiet(ctx, 0, remoteBootstrap, "status"); err != nil {
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
	argv := []string{
		"strace", "-f", "-qq", "-o", "/dev/null", "-P", "/proc/sys/net/core/somaxconn",
		"-e", "trace=write,pwrite64", "-e", "inject=write,pwrite64:signal=KILL", remoteBootstrap,
	}
	if err := s.command(ctx, 137, nil, append(argv, s.with("up")...)...); err != nil {
		return err
	}
	s.say("The next run goes on where the record says")
	if err := s.bootstrap(ctx, 0, words{"net.core.somaxconn", "4096 -> 65535"}, s.with("up")...); err != nil {
		return err
	}
	return s.bootstrap(ctx, 0, words{"Ready."}, "status")
}

// bootstrap is command for bootstrap on the host.
func (s *story) bootstrap(ctx context.Context, code int, want words, args ...string) error {
	return s.command(ctx, code, want, append([]string{remoteBootstrap}, args...)...)
}
