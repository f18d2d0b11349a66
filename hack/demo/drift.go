package main

import (
	"context"
	"time"
)

// drift lets somebody else change what the cluster has set.
func (s *story) drift(ctx context.Context) error {
	s.say("Somebody changes it on the host: the agent sets it again")
	if err := s.repaired(ctx, somaxconn, "128", "32768"); err != nil {
		return err
	}
	return s.reports(ctx, "drift", words{`"lastKey":"sysctl/` + somaxconn + `"`, `"repaired":1`})
}

// repaired changes a sysctl on the host, and waits until it is what it was.
func (s *story) repaired(ctx context.Context, name, value, was string) error {
	if err := s.mustBe(ctx, was, "sysctl", "-n", name); err != nil {
		return err
	}
	began := time.Now()
	if err := s.command(ctx, 0, words{name + " = " + value + "\n"}, "sysctl", "-w", name+"="+value); err != nil {
		return err
	}
	return s.becomes(ctx, began, was, "sysctl", "-n", name)
}
