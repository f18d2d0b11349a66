package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// results counts tests, subtests included, over all steps.
type results struct {
	passed, failed, skipped int
	reasons                 map[string][]string // why skipped: names
}

// testEvent is one line of `go test -json`.
type testEvent struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func (s step) run(ctx context.Context, total *results) error {
	cmd := exec.CommandContext(ctx, s.argv[0], s.argv[1:]...)
	cmd.Env = append(os.Environ(), s.env...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGINT) }
	cmd.WaitDelay = time.Minute
	if !s.test {
		cmd.Stdout = os.Stdout
		return cmd.Run()
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	readErr := total.read(out, os.Stdout)
	return errors.Join(cmd.Wait(), readErr)
}

// read counts the events and prints the runner's own closing lines, the counts that tests
// tell, and all that a failed test printed. What a package that failed had not ended, as
// when its time was over, is printed too: no event of its own says that it failed.
func (r *results) read(in io.Reader, out io.Writer) error {
	text := printed{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e testEvent
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(out, lines.Text())
			continue
		}
		name := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			text[name] = append(text[name], e.Output)
			if e.Test == "" && closing(e.Output) || e.Action == "build-output" {
				fmt.Fprint(out, e.Output)
			} else if _, count, ok := strings.Cut(e.Output, countMark); ok {
				fmt.Fprint(out, countMark, count)
			}
		case "pass", "fail", "skip":
			r.count(e, text[name], out)
			delete(text, name)
			if e.Test == "" {
				text.unfinished(e.Package, e.Action == "fail", out)
			}
		}
	}
	return lines.Err()
}

// countMark begins what a test says of how much it tried, which is shown of a test that
// passed too.
const countMark = "==> "

// closing reports whether a line is what `go test` says of a package at its end.
func closing(line string) bool {
	return strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "FAIL") || strings.HasPrefix(line, "panic")
}

func (r *results) count(e testEvent, text []string, out io.Writer) {
	if e.Test == "" {
		if e.Action == "fail" {
			r.failed++
			fmt.Fprint(out, strings.Join(text, ""))
		}
		return
	}
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.failed++
		fmt.Fprint(out, strings.Join(text, ""))
	case "skip":
		r.skipped++
		if r.reasons == nil {
			r.reasons = map[string][]string{}
		}
		why := reason(text)
		r.reasons[why] = append(r.reasons[why], e.Test)
	}
}

// reason takes the words of t.Skip from what the test printed.
func reason(text []string) string {
	for _, line := range text {
		if _, why, ok := strings.Cut(line, ".go:"); ok {
			_, why, _ = strings.Cut(why, ": ")
			return strings.TrimSpace(why)
		}
	}
	return "no reason given"
}

func (r *results) print(out io.Writer) {
	for _, why := range slices.Sorted(maps.Keys(r.reasons)) {
		fmt.Fprintf(out, "skipped, %s: %s\n", why, strings.Join(r.reasons[why], ", "))
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
}
