package main

import "context"

const database = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  name: database
spec:
  nodeSelector: {}
  priority: 100
  sysctls:
    - {name: net.core.somaxconn, value: 16384}
`

// conflict lets two profiles of one priority disagree, and settles it.
func (s *story) conflict(ctx context.Context) error {
	s.say("Two profiles disagree: both are named, and the value stays")
	if err := s.feed(ctx, database, words{"database"}, "apply", "-f", "-"); err != nil {
		return err
	}
	want := words{"HostProfileReady=False Conflict", "HostSysctlsReady=False Conflict", "database wants 16384", "site wants 32768"}
	if err := s.conditions(ctx, want); err != nil {
		return err
	}
	if err := s.command(ctx, 0, words{somaxconn + " = 32768\n"}, "sysctl", somaxconn); err != nil {
		return err
	}
	s.say("A priority settles it")
	if err := s.edit(ctx, "database", `[{"op":"replace","path":"/spec/priority","value":200}]`, "16384"); err != nil {
		return err
	}
	return s.conditions(ctx, words{"HostProfileReady=True AllApplied", "HostSysctlsReady=True AllApplied"})
}
