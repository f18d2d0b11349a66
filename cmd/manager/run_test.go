package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// unreachable is an API server that is not there.
const unreachable = `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
contexts: [{name: c, context: {cluster: c, user: u}}]
users: [{name: u, user: {}}]
current-context: c
`

// The whole agent, on a host on which nothing is managed, ends at a signal; TestMain finds
// what it would leave behind.
func TestAnAgentEndsAltogether(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"run", "var/lib", "etc"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	kubeconfig := filepath.Join(root, "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte(unreachable), 0o600); err != nil {
		t.Fatal(err)
	}
	f := agentFlags{node: "node", host: root, kubeconfig: kubeconfig, metrics: freeAddress(t), health: freeAddress(t)}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runAgent(ctx, f, slog.New(slog.DiscardHandler)) }()
	for _, page := range []string{f.health + "/healthz", f.health + "/readyz", f.metrics + "/metrics"} {
		untilServed(t, "http://"+page)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	http.DefaultClient.CloseIdleConnections()
}

// freeAddress is one that nobody listened at a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func untilServed(t *testing.T, page string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); <-tick.C {
		r, err := http.Get(page)
		if err != nil {
			continue
		}
		_ = r.Body.Close()
		if r.StatusCode == http.StatusOK {
			return
		}
	}
	t.Fatalf("%s is not served", page)
}
