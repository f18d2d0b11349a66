// Command packages builds the deb and the rpm of bootstrap, with nfpm, as nfpm.yaml beside
// it says. The Makefile calls it, from the top of the repository:
//
//	packages -program FILE -version DESCRIBED -arch GOARCH -out FOLDER
//
// The same commit gives the same bytes: SOURCE_DATE_EPOCH must be set to the time of the
// commit, in seconds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"
)

// order is what to build, and from what.
type order struct {
	program string // the built bootstrap
	version string // as git describe prints it
	arch    string // as Go spells it
	out     string // folder for the packages
	date    time.Time
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	o, err := readOrder()
	if err != nil {
		return err
	}
	stage, err := os.MkdirTemp("", "hostprofile-packages-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(stage) }()
	if err := o.fill(ctx, stage); err != nil {
		return fmt.Errorf("gather the files: %w", err)
	}
	for _, f := range formats {
		if err := o.build(ctx, stage, f); err != nil {
			return fmt.Errorf("build the %s: %w", f.name, err)
		}
	}
	return nil
}

func readOrder() (order, error) {
	var o order
	flag.StringVar(&o.program, "program", "bin/bootstrap", "the built program")
	flag.StringVar(&o.version, "version", "", "version, as git describe prints it")
	flag.StringVar(&o.arch, "arch", "amd64", "architecture of the program, as Go spells it")
	flag.StringVar(&o.out, "out", "dist", "folder for the packages")
	flag.Parse()
	if o.version == "" {
		return o, fmt.Errorf("-version is missing")
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return o, fmt.Errorf("SOURCE_DATE_EPOCH is not set to a number of seconds; git log -1 --format=%%ct prints that of the commit")
	}
	o.date = time.Unix(seconds, 0).UTC()
	return o, nil
}
