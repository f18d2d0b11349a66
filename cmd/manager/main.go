// Command manager is the part of HostProfile that runs in a cluster: one agent on every
// node, which keeps its host as the HostProfiles say.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/go-logr/logr"
	"k8s.io/klog/v2"
)

// processors bounds what the runtime makes ready for: an agent that mostly sleeps needs no
// caches, threads and collectors for each of the hundred processors of a large node.
const processors = 2

func main() {
	syscall.Umask(0o022) // what is made has its mode from the start
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(min(processors, runtime.GOMAXPROCS(0)))
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	klog.SetLogger(logr.Discard())
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	root := tree(log, os.Getenv("NODE_NAME"))
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
