// Command tiers runs the checks and tests of this repository, tier by tier, and says at
// the end what passed, what failed and what was skipped for which reason.
//
//	go run ./hack/tiers [TIER...]
//
// Without arguments it runs all tiers but the long ones. Each prints its time and has a
// budget in minutes; a tier that takes longer says so.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// tier is a group of steps with a budget.
type tier struct {
	name   string
	budget time.Duration
	long   bool // run only if it is named
	steps  []step
}

// step is one command. A test step is a `go test` whose results are counted.
type step struct {
	name string
	argv []string
	env  []string
	test bool
	root bool // installs packages or mounts: left out, and said so, for other users
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func run(ctx context.Context, names []string) int {
	chosen, err := choose(names)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tiers:", err)
		return 2
	}
	var total results
	failed := false
	for _, t := range chosen {
		failed = !t.run(ctx, &total) || failed
	}
	total.print(os.Stdout)
	if failed || total.failed > 0 {
		return 1
	}
	return 0
}

func choose(names []string) ([]tier, error) {
	all := tiers()
	if len(names) == 0 {
		return slices.DeleteFunc(all, func(t tier) bool { return t.long }), nil
	}
	var chosen []tier
	for _, n := range names {
		found := false
		for _, t := range all {
			if t.name == n {
				chosen, found = append(chosen, t), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no tier %q; there are %s", n, strings.Join(tierNames(all), ", "))
		}
	}
	return chosen, nil
}

func tierNames(all []tier) []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = t.name
	}
	return out
}

// run runs the steps of a tier; a step that fails does not stop the others.
func (t tier) run(ctx context.Context, total *results) bool {
	fmt.Printf("=== %s (budget %d min)\n", t.name, int(t.budget.Minutes()))
	start := time.Now()
	ok := true
	for _, s := range t.steps {
		if s.root && os.Geteuid() != 0 {
			fmt.Printf("--- %s: %s left out: needs root\n", t.name, s.name)
			continue
		}
		began := time.Now()
		err := s.run(ctx, total)
		fmt.Printf("--- %s: %s %.0fs\n", t.name, s.name, time.Since(began).Seconds())
		if err != nil {
			fmt.Printf("!!! %s: %s: %v\n", t.name, s.name, err)
			ok = false
		}
	}
	took := time.Since(start)
	fmt.Printf("=== %s took %.1f of %d min\n\n", t.name, took.Minutes(), int(t.budget.Minutes()))
	if took > t.budget { // told, and no failure: a busy machine proves nothing
		fmt.Printf("!!! %s is over its budget\n", t.name)
	}
	return ok
}
