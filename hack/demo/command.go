package main

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
)

// bootstrap runs our program on the host.
func (s *story) bootstrap(ctx context.Context, code int, args ...string) error {
	return s.command(ctx, code, append([]string{remote}, args...)...)
}

// command runs a command on the host, shows it and what it printed, and wants its code.
func (s *story) command(ctx context.Context, code int, argv ...string) error {
	shown := append([]string{path.Base(argv[0])}, argv[1:]...)
	fmt.Printf("\n%s# %s\n", s.host.Name(), strings.Join(shown, " "))
	began := time.Now()
	r, err := s.host.Run(ctx, argv...)
	if err != nil {
		return fmt.Errorf("run %s: %w", strings.Join(shown, " "), err)
	}
	fmt.Print(r.Stdout, r.Stderr)
	fmt.Printf("(exit %d, %.1f s; %.0f s since the start)\n", r.ExitCode, time.Since(began).Seconds(), time.Since(s.start).Seconds())
	if r.ExitCode != code {
		return fmt.Errorf("%s ended with %d, expected %d", strings.Join(shown, " "), r.ExitCode, code)
	}
	return nil
}

// quiet runs a command of which only a wrong code is of interest.
func (s *story) quiet(ctx context.Context, code int, argv ...string) error {
	r, err := s.host.Run(ctx, argv...)
	if err != nil {
		return err
	}
	if r.ExitCode != code {
		return fmt.Errorf("%s ended with %d, expected %d: %s%s", strings.Join(argv, " "), r.ExitCode, code, r.Stdout, r.Stderr)
	}
	return nil
}

// mustBe wants a command to print exactly a text.
func (s *story) mustBe(ctx context.Context, want string, argv ...string) error {
	r, err := s.host.Run(ctx, argv...)
	if err != nil {
		return err
	}
	if got := strings.TrimSpace(r.Stdout); got != want {
		return fmt.Errorf("%s prints %q, expected %q", strings.Join(argv, " "), got, want)
	}
	return nil
}
