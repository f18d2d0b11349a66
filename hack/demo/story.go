package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hostprofile/hostprofile/test/snapshot"
)

// Where things are on the host.
const (
	remoteBootstrap = "/usr/local/bin/bootstrap"
	remoteManager   = "/usr/local/bin/manager"
	siteFile        = "/srv/site.yaml"
)

// story is the demo on one stage. Each step says what it does, shows the command and what
// it printed, and checks that it did what was said.
type story struct {
	stage
	start time.Time
	step  string // the one that is told now
}

// say begins a step.
func (s *story) say(what string) {
	s.step = what
	fmt.Printf("\n## %s\n", what)
}

// tell plays the chapters, and compares the host before and after.
func (s *story) tell(ctx context.Context) error {
	for remote, local := range map[string]string{remoteBootstrap: s.bootstrapFile, remoteManager: s.managerFile, siteFile: s.site} {
		if err := s.host.Push(ctx, local, remote, 0o755); err != nil {
			return err
		}
	}
	before, err := snapshot.Take(ctx, s.host)
	if err != nil {
		return err
	}
	for _, chapter := range s.chapters() {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return s.compare(ctx, before)
}

// chapters are in the order of a host's life: prepared before there is a cluster, kept by
// the cluster, given back.
func (s *story) chapters() []func(context.Context) error {
	type chapters = []func(context.Context) error
	alone := chapters{s.plan, s.prepare, s.disturb, s.kill}
	if s.plane == nil {
		return append(alone, s.giveBack)
	}
	joined := chapters{s.join, s.follow, s.drift, s.conflict, s.outage, s.reboot, s.leave, s.giveBack}
	return slices.Concat(chapters{s.check}, alone, joined)
}
