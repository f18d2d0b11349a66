package main

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"
)

// command runs a command on the host, shows it and what it printed, and wants its code and
// words in what it printed.
func (s *story) command(ctx context.Context, code int, want words, argv ...string) error {
	out, err := s.show(ctx, code, argv...)
	if err == nil {
		err = want.missing(out)
	}
	return err
}

// show is command without words: it returns what was printed.
func (s *story) show(ctx context.Context, code int, argv ...string) (string, error) {
	shown := typed(append([]string{path.Base(argv[0])}, argv[1:]...))
	fmt.Printf("\n%s# %s\n", s.host.Name(), shown)
	began := time.Now()
	r, err := s.host.Run(ctx, argv...)
	if err != nil {
		return "", fmt.Errorf("run %s: %w", shown, err)
	}
	fmt.Print(r.Stdout, r.Stderr)
	fmt.Printf("(exit %d, %s)\n", r.ExitCode, s.took(began))
	if r.ExitCode != code {
		return "", fmt.Errorf("%s ended with %d, expected %d", shown, r.ExitCode, code)
	}
	return r.Stdout, nil
}

// quiet runs a command of which only a wrong code is of interest.
func (s *story) quiet(ctx context.Context, code int, argv ...string) error {
	r, err := s.host.Run(ctx, argv...)
	if err != nil {
		return err
	}
	if r.ExitCode != code {
		return fmt.Errorf("%s ended with %d, expected %d: %s%s", typed(argv), r.ExitCode, code, r.Stdout, r.Stderr)
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
		return fmt.Errorf("%s prints %q, expected %q", typed(argv), got, want)
	}
	return nil
}

// becomes waits until a command prints exactly a text, and shows how long after a moment
// that was.
func (s *story) becomes(ctx context.Context, since time.Time, want string, argv ...string) error {
	var last error
	if !until(ctx, func() bool { last = s.mustBe(ctx, want, argv...); return last == nil }) {
		return last
	}
	if want == "" {
		want = "(nothing)"
	}
	fmt.Printf("\n%s# %s\n%s\n(after %s)\n", s.host.Name(), typed(argv), want, s.took(since))
	return nil
}

// took says how long something took that ends now.
func (s *story) took(began time.Time) string {
	return fmt.Sprintf("%.1f s; %.0f s since the start", time.Since(began).Seconds(), time.Since(s.start).Seconds())
}

// patience is how long something may take that happens by itself, on a busy machine.
const patience = 90 * time.Second

// until asks again and again until the answer is yes, and reports whether it was.
func until(ctx context.Context, ok func() bool) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return true
}

// typed is a command line as a person types it.
func typed(argv []string) string {
	var line []string
	for _, word := range argv {
		if strings.ContainsAny(word, ` {}"$*;|<>()`) {
			word = "'" + word + "'"
		}
		line = append(line, word)
	}
	return strings.Join(line, " ")
}
