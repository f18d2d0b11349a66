package bench_test

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/bench/results"
	"github.com/hostprofile/hostprofile/test/program"
)

const (
	soonest  = 10 * time.Millisecond
	smallest = 16 << 20
)

// BenchmarkStart measures from the start of the program to its end, and its size, beside
// runc where the machine has it.
func BenchmarkStart(b *testing.B) {
	file, err := program.Shared()
	if err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	ours := &contender{name: "bootstrap", run: started(b, file, "version")}
	plan := &contender{name: "plan", run: started(b, file, "plan", "-q", "--profile", "kubernetes", "--profile", "kubelet-defaults", "--profile", "cilium")}
	all := []*contender{ours, plan}
	peer, versions, missing := peerProgram(b)
	if peer != nil {
		all = append(all, peer)
	}
	for range 4 {
		race(b, func() {}, func() {}, all...)
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB")
	putStarts(b, ours, plan, peer, versions, missing)
	putSize(b, info.Size(), missing)
	if best := ours.best(); best > soonest && *rounds >= enough || info.Size() > smallest {
		b.Errorf("start to end takes %v at best, and the program has %d bytes", best, info.Size())
	}
}

// peerProgram is runc: a static program of the same kind that hosts of Kubernetes have.
func peerProgram(b *testing.B) (peer *contender, versions map[string]string, missing string) {
	b.Helper()
	runc, err := exec.LookPath("runc")
	if err != nil {
		return nil, nil, "runc is not installed"
	}
	return &contender{name: "runc", run: started(b, runc, "--version")}, map[string]string{"runc": version(b, runc, "--version")}, ""
}

func putStarts(b *testing.B, ours, plan, peer *contender, versions map[string]string, missing string) {
	b.Helper()
	r := milliseconds("P8", "start to end of version", ours, peer, nil)
	r.Goal, r.Met, r.Missing = "ours <= 10 ms", ours.median() <= soonest, missing
	put(b, r, versions)
	r = milliseconds("P8-plan", "start to end of plan, built-in profiles", plan, peer, nil)
	r.Goal, r.Met, r.Missing = "none", true, missing
	put(b, r, versions)
}

func putSize(b *testing.B, size int64, missing string) {
	b.Helper()
	r := results.Row{ID: "P8-size", What: "size of the program", Unit: "MiB", Ours: float64(size) / (1 << 20), Goal: "ours <= 16 MiB", Met: size <= smallest, Missing: missing}
	if path, err := exec.LookPath("runc"); err == nil {
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		peer := float64(info.Size()) / (1 << 20)
		r.Peer, r.PeerName, r.Ratio, r.BestRatio = &peer, "runc", r.Ours/peer, r.Ours/peer
	}
	put(b, r, nil)
}

// started measures a program. How it ends does not matter: plan says so if it would
// change something.
func started(b *testing.B, argv ...string) func() time.Duration {
	return func() time.Duration {
		began := time.Now()
		err := exec.CommandContext(b.Context(), argv[0], argv[1:]...).Run()
		took := time.Since(began)
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			b.Fatal(err)
		}
		return took
	}
}
