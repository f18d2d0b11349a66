package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/cluster"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// lockTimeout is how long to wait for another run on the host to end.
const lockTimeout = 30 * time.Second

// runAgent puts the parts together and runs until ctx ends. Only a host that cannot be
// opened is an error: without an API server there is work to do.
func runAgent(ctx context.Context, f agentFlags, log *slog.Logger) error {
	host, err := hostops.Open(ctx, hostops.Options{
		Root: f.host, Version: version(), LockTimeout: lockTimeout,
		Holder: fmt.Sprintf("manager agent, pid %d", os.Getpid()),
	})
	if err != nil {
		return err
	}
	var a *agent.Agent
	c := cluster.New(cluster.Options{
		Node: f.node, Version: version(), Log: log, Evidence: cluster.DefaultEvidence,
		Connect: func() (*rest.Config, error) { return connection(f.kubeconfig) },
		Changed: func() { a.Ring(keep.CauseCluster) },
	})
	metrics := agent.NewMetrics(version())
	a = agent.New(agent.Options{
		Host: host, Cluster: c, Metrics: metrics, Log: log, Version: version(), Node: f.node, Patience: wish.DefaultPatience(),
	})
	log.Info("the agent starts", "node", f.node, "version", version(), "host", f.host)
	var wait sync.WaitGroup
	wait.Go(func() { c.Run(ctx) })
	wait.Go(func() { serve(ctx, f.metrics, metricsPages(metrics), log) })
	wait.Go(func() { serve(ctx, f.health, healthPages(a), log) })
	err = a.Run(ctx)
	wait.Wait()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

func connection(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		return rest.InClusterConfig()
	}
	return clientcmd.BuildConfigFromFlags("", kubeconfig)
}

func metricsPages(m *agent.Metrics) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	return mux
}

// healthPages: alive is whoever answers; ready is who keeps this host.
func healthPages(a *agent.Agent) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !a.Ready() {
			http.Error(w, "another agent keeps this host, or nothing was looked at yet", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return mux
}
