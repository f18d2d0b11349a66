// Command bench prints what benchmarks have measured as one table, and fails if a row is
// missing. That a goal is not met is told and no failure: a busy machine proves nothing.
//
//	go run ./hack/bench peers         install what we are measured against, as far as it can be had
//	go run ./hack/bench table FILE    print the rows
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hostprofile/hostprofile/test/bench/results"
)

// required are the rows that every run has.
var required = []string{"P1", "P2", "P3", "P8"}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "peers":
		installPeers(ctx)
		return nil
	case len(args) == 2 && args[0] == "table":
		return table(args[1])
	}
	return errors.New("usage: bench peers | bench table FILE")
}

func table(path string) error {
	f, err := results.Read(path)
	if err != nil {
		return err
	}
	if err := f.Write(os.Stdout); err != nil {
		return err
	}
	if lacking := f.Lacking(required...); len(lacking) > 0 {
		return fmt.Errorf("%s lacks %s", path, strings.Join(lacking, ", "))
	}
	return nil
}
