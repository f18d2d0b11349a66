package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// words are what must be in an answer.
type words []string

// missing is an error that names the first of the words that a text lacks.
func (w words) missing(text string) error {
	for _, word := range w {
		if !strings.Contains(text, word) {
			return fmt.Errorf("expected %q in what is printed", word)
		}
	}
	return nil
}

// kubectl runs kubectl on this machine as an administrator of the cluster, shows it and
// what it printed, and wants words in that.
func (s *story) kubectl(ctx context.Context, want words, args ...string) error {
	return s.feed(ctx, "", want, args...)
}

// feed is kubectl with an input.
func (s *story) feed(ctx context.Context, input string, want words, args ...string) error {
	shown := showKubectl(input, args)
	began := time.Now()
	out, err := s.plane.Kubectl(ctx, input, args...)
	fmt.Printf("%s(%s)\n", out, s.took(began))
	if err == nil {
		err = want.missing(out)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", shown, err)
	}
	return nil
}

// tells waits until kubectl prints the words, and shows the command and that answer.
func (s *story) tells(ctx context.Context, want words, args ...string) error {
	var out string
	var err error
	began := time.Now()
	until(ctx, func() bool {
		if out, err = s.plane.Kubectl(ctx, "", args...); err == nil {
			err = want.missing(out)
		}
		return err == nil
	})
	shown := showKubectl("", args)
	fmt.Printf("%s(after %s)\n", out, s.took(began))
	if err != nil {
		return fmt.Errorf("%s: %w", shown, err)
	}
	return nil
}

// reports waits until a field of the host's HostProfileStatus has the words, and shows it.
func (s *story) reports(ctx context.Context, field string, want words) error {
	return s.tells(ctx, want, "get", "hps", s.host.Name(), "-o", "jsonpath={.status."+field+`}{"\n"}`)
}

func showKubectl(input string, args []string) string {
	line := typed(append([]string{"kubectl"}, args...))
	fmt.Printf("\nyou$ %s", line)
	if input != "" {
		fmt.Printf(" <<EOF\n%sEOF", input)
	}
	fmt.Println()
	return line
}
