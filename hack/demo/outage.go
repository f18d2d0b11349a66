package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// outage stops the API server: what was last accepted stays in force.
func (s *story) outage(ctx context.Context) error {
	s.say("The API server stops: the host is kept all the same")
	if err := s.plane.StopServer(); err != nil {
		return err
	}
	if err := s.unreachable(ctx); err != nil {
		return err
	}
	if err := s.repaired(ctx, "net.ipv4.ip_forward", "0", "1"); err != nil {
		return err
	}
	s.say("It starts again: the agent hears of the next edit")
	if err := s.plane.StartServer(); err != nil {
		return err
	}
	return s.edit(ctx, "database", `[{"op":"replace","path":"/spec/sysctls/0/value","value":8192}]`, "8192")
}

// unreachable shows that nobody answers.
func (s *story) unreachable(ctx context.Context) error {
	args := []string{"get", "hostprofilestatus"}
	shown := showKubectl("", args)
	_, err := s.plane.Kubectl(ctx, "", args...)
	if err == nil {
		return errors.New(shown + " is answered")
	}
	fmt.Println(strings.TrimSpace(err.Error()))
	return ctx.Err()
}
