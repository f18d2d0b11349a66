package main

import (
	"context"
	"time"
)

// somaxconn is the setting that the cluster's profiles are about.
const somaxconn = "net.core.somaxconn"

// follow gives the cluster a profile, and edits it.
func (s *story) follow(ctx context.Context) error {
	s.say("The profile that bootstrap was given, now from the cluster: nothing is left to change")
	if err := s.kubectl(ctx, words{"hostprofile.hostprofile.io/site"}, "apply", "-f", "config/samples"); err != nil {
		return err
	}
	if err := s.reports(ctx, "profiles", words{`"name":"site","state":"Ready"`}); err != nil {
		return err
	}
	if err := s.ready(ctx); err != nil {
		return err
	}
	if err := s.conditions(ctx, words{"HostProfileReady=True AllApplied", "HostSysctlsReady=True AllApplied"}); err != nil {
		return err
	}
	s.say("An edit reaches the kernel")
	return s.edit(ctx, "site", `[{"op":"replace","path":"/spec/sysctls/0/value","value":32768}]`, "32768")
}

// edit changes a profile, and waits for the value on the host.
func (s *story) edit(ctx context.Context, profile, patch, want string) error {
	began := time.Now()
	if err := s.kubectl(ctx, words{"patched"}, "patch", "hprof", profile, "--type=json", "-p", patch); err != nil {
		return err
	}
	return s.becomes(ctx, began, want, "sysctl", "-n", somaxconn)
}
