// Command fuzz runs every fuzz target of this repository, one after another, for the
// given time each.
//
//	go run ./hack/fuzz [-time 60s] [PACKAGE...]
//
// Of a target that fails Go has written the input that does it into the package's
// testdata, to be kept as a seed once the fault is mended. The others are run all the same.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

func main() {
	each := flag.Duration("time", time.Minute, "how long to run each target")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	if err := run(packages, *each); err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
}

func run(packages []string, each time.Duration) error {
	targets, err := list(packages)
	if err != nil {
		return err
	}
	if len(targets) == 0 {
		return fmt.Errorf("there are no fuzz targets in %s", strings.Join(packages, " "))
	}
	var failed []error
	for _, t := range targets {
		fmt.Printf("--- %s of %s\n", t.name, t.pkg)
		if err := goTool("test", "-run", "^$", "-fuzz", "^"+t.name+"$", "-fuzztime", each.String(), t.pkg).Run(); err != nil {
			failed = append(failed, fmt.Errorf("%s of %s: %w", t.name, t.pkg, err))
		}
	}
	fmt.Printf("==> fuzz: %d targets, %v each, %d failed\n", len(targets), each, len(failed))
	return errors.Join(failed...)
}

// target is one fuzz test. Go runs one at a time.
type target struct{ pkg, name string }

// list asks the test binaries: `go test -list` prints the names, and then the package.
func list(packages []string) ([]target, error) {
	cmd := goTool(append([]string{"test", "-list", "^Fuzz"}, packages...)...)
	cmd.Stdout = nil
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the targets: %w", err)
	}
	var targets []target
	var names []string
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 1 && strings.HasPrefix(f[0], "Fuzz"):
			names = append(names, f[0])
		case len(f) > 1 && f[0] == "ok":
			for _, n := range names {
				targets = append(targets, target{f[1], n})
			}
			names = nil
		}
	}
	return targets, nil
}

func goTool(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}
