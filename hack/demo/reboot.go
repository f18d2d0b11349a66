package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// inactive is how systemctl ends when a unit does not run.
const inactive = 3

// reboot shows that a boot needs neither the agent nor the API server.
func (s *story) reboot(ctx context.Context) error {
	s.say("Reboot: the boot files have what the cluster wants, before any agent runs")
	if err := s.host.Reboot(ctx); err != nil {
		return err
	}
	if err := s.command(ctx, inactive, words{"inactive"}, "systemctl", "is-active", agentUnit); err != nil {
		return err
	}
	want := words{somaxconn + " = 8192\n", "net.ipv4.ip_forward = 1\n", "net.bridge.bridge-nf-call-iptables = 1\n"}
	if err := s.command(ctx, 0, want, "sysctl", somaxconn, "net.ipv4.ip_forward", "net.bridge.bridge-nf-call-iptables"); err != nil {
		return err
	}
	return s.afterBoot(ctx)
}

// afterBoot starts the agent again.
func (s *story) afterBoot(ctx context.Context) error {
	s.say("The agent starts: what is left for it are lower bounds, which are in no boot file, and swap, which is on again from fstab")
	if err := s.command(ctx, 0, words{"/dev/nvme1n1"}, "swapon", "--show"); err != nil {
		return err
	}
	began := time.Now()
	if err := s.startAgent(ctx); err != nil {
		return err
	}
	if err := s.becomes(ctx, began, "", "swapon", "--show"); err != nil {
		return err
	}
	if err := s.reportsThisBoot(ctx); err != nil {
		return err
	}
	if err := s.ready(ctx); err != nil {
		return err
	}
	return s.wroteOnly(ctx, words{"key=sysctl/vm.max_map_count", "key=swap/dev/nvme1n1"}, "key=sysctl/net")
}

// reportsThisBoot waits until the status is about this boot, and not the last one.
func (s *story) reportsThisBoot(ctx context.Context) error {
	r, err := s.host.Run(ctx, "cat", "/proc/sys/kernel/random/boot_id")
	if err != nil {
		return err
	}
	return s.reports(ctx, "bootID", words{strings.TrimSpace(r.Stdout)})
}

// wroteOnly shows what the agent has changed since the boot, and wants some words in it,
// and not another.
func (s *story) wroteOnly(ctx context.Context, want words, not string) error {
	out, err := s.show(ctx, 0, "journalctl", "--unit", agentUnit, "--boot", "--output=cat", "--grep=event=changed")
	if err != nil {
		return err
	}
	if strings.Contains(out, not) {
		return fmt.Errorf("the agent wrote what was right already: %s", not)
	}
	return want.missing(out)
}
