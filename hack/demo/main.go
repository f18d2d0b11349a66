// Command demo shows the main job on a real host and a real API server. A VM with a kernel
// of its own is looked at, prepared, disturbed, repaired and killed in the middle; then it
// joins a cluster as a Node, is kept by the agent as HostProfiles say, loses the API
// server, reboots; and at last everything is given back.
//
//	make demo          as root, on a Debian machine with Go
//	KEEP=1 make demo   leaves the VM and the API server running and says how to reach them
//
// It installs the packages that it needs and changes nothing else on the machine but its
// folder in the user's cache. Etcd and the API server are processes on the machine's
// loopback that end with the demo.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// run plays the story and ends with nothing left on the machine, also when it fails or is
// interrupted: then ctx is over already.
func run(ctx context.Context) (err error) {
	s := &story{start: time.Now()}
	defer func() {
		if failed := s.strike(context.WithoutCancel(ctx)); err == nil {
			err = failed
		}
	}()
	for _, act := range []func(context.Context) error{s.raise, s.tell} {
		err := act(ctx)
		if ctx.Err() != nil {
			return fmt.Errorf("interrupted in the step %q", s.step)
		}
		if err != nil {
			return fmt.Errorf("in the step %q: %w", s.step, err)
		}
	}
	fmt.Printf("\nAll of it took %.0f s.\n", time.Since(s.start).Seconds())
	if os.Getenv("KEEP") != "" {
		return s.keep(ctx)
	}
	return nil
}
