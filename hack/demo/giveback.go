package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/test/snapshot"
)

func (s *story) giveBack(ctx context.Context) error {
	s.say("What would giving it back do?")
	if err := s.bootstrap(ctx, 0, words{"Nothing was written."}, "down", "--dry-run"); err != nil {
		return err
	}
	s.say("Give it back")
	if err := s.bootstrap(ctx, 0, words{"0 of ours remain"}, "down", "--yes"); err != nil {
		return err
	}
	s.say("Again: nothing to do")
	return s.bootstrap(ctx, 0, words{"Nothing to do"}, "down", "--yes")
}

// compare shows that the host is as before.
func (s *story) compare(ctx context.Context, before snapshot.Snapshot) error {
	s.say("Is the host as it was?")
	left, err := s.differences(ctx, before)
	if err != nil {
		return err
	}
	if len(left) == 1 && mayWait(left[0]) {
		s.say("A pattern's key keeps its value until the next boot if our boot file set it in this one. Boot again")
		if err := s.host.Reboot(ctx); err != nil {
			return err
		}
		if left, err = s.differences(ctx, before); err != nil {
			return err
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("%d things are not as before", len(left))
	}
	fmt.Printf("%d files, sysctls and swap areas are as before. Only the marker that keeps later boots out is new.\n", len(before))
	return nil
}

// differences shows what is not as before, and returns what should be.
func (s *story) differences(ctx context.Context, before snapshot.Snapshot) ([]string, error) {
	after, err := snapshot.Take(ctx, s.host)
	if err != nil {
		return nil, err
	}
	for _, line := range snapshot.Diff(before, after) {
		fmt.Println(line)
	}
	return snapshot.NotGivenBack(before, after), nil
}

// mayWait reports whether a difference is the one that giving back leaves to the next
// boot: the sample names the key by a pattern (see docs/ledger.md).
func mayWait(difference string) bool {
	return strings.HasPrefix(difference, "~ sysctl net.ipv4.conf.eth0.send_redirects:")
}
