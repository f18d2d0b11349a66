package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/cluster"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The agent is ready without an API server, but not while another one keeps the host.
func TestHealthTurnsReadyWhenTheHostWasLookedAt(t *testing.T) {
	world := fake.New()
	other := world.Start().Machine()
	if err := other.Files.Mkdir(paths.RunDir, 0o700); err != nil {
		t.Fatal(err)
	}
	release, err := other.Locks.TryLock(paths.AgentLock, "another agent")
	if err != nil {
		t.Fatal(err)
	}
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: world.Start().Machine(), Version: "test", Holder: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	nowhere := cluster.New(cluster.Options{Log: log, Connect: func() (*rest.Config, error) { return nil, context.Canceled }})
	a := agent.New(agent.Options{Host: host, Cluster: nowhere, Log: log, Version: "test"})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})

	time.Sleep(100 * time.Millisecond)
	if alive, ready := health(a, "/healthz"), health(a, "/readyz"); alive != 200 || ready != 503 {
		t.Errorf("while another agent keeps the host: alive %d, ready %d", alive, ready)
	}
	if err := release(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); health(a, "/readyz") != 200; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it is not ready")
		}
	}
}

func health(a *agent.Agent, path string) int {
	rec := httptest.NewRecorder()
	healthPages(a).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
	return rec.Code
}
