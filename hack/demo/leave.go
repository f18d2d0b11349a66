package main

import (
	"context"
	"time"
)

// leave takes the profiles of the cluster away: what bootstrap was given is in force again.
func (s *story) leave(ctx context.Context) error {
	s.say("Delete the profiles: once the agent is sure that they are gone, bootstrap's value is back (it waits for more than 30 s)")
	began := time.Now()
	if err := s.kubectl(ctx, words{`"site" deleted`, `"database" deleted`}, "delete", "hprof", "site", "database"); err != nil {
		return err
	}
	releasing := words{`"name":"database","state":"Progressing"`, `"name":"site","state":"Progressing"`}
	if err := s.reports(ctx, "profiles", releasing); err != nil {
		return err
	}
	if err := s.tells(ctx, words{"Releasing"}, "get", "hostprofilestatus"); err != nil {
		return err
	}
	if err := s.becomes(ctx, began, "65535", "sysctl", "-n", somaxconn); err != nil {
		return err
	}
	if err := s.reports(ctx, "state", words{"Ready"}); err != nil {
		return err
	}
	if err := s.ready(ctx); err != nil {
		return err
	}
	s.say("The agent stops")
	return s.stopAgent(ctx)
}
