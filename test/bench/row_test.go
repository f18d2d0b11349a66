package bench_test

import (
	"flag"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/bench/results"
)

var resultsFile = flag.String("results", "", "file that the rows are written to")

// put writes a row to the file of results, if there is one.
func put(b *testing.B, row results.Row, versions map[string]string) {
	b.Helper()
	b.Logf("%+v", row)
	if *resultsFile == "" {
		return
	}
	if err := results.Put(*resultsFile, row, versions); err != nil {
		b.Fatal(err)
	}
}

// milliseconds begins a row about time; a peer or a limit that is nil is left out.
func milliseconds(id, what string, ours, peer, limit *contender) results.Row {
	r := results.Row{ID: id, What: what, Unit: "ms", Ours: inMilliseconds(ours.median()), Rounds: len(ours.took)}
	if peer != nil {
		figure := inMilliseconds(peer.median())
		r.Peer, r.PeerName = &figure, peer.name
		r.Ratio, r.BestRatio = ours.medianRatio(peer), float64(ours.best())/float64(peer.best())
	}
	if limit != nil {
		figure := inMilliseconds(limit.median())
		r.Limit, r.LimitName = &figure, limit.name
	}
	return r
}

func inMilliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// faster returns the contender with the lower median.
func faster(a, b *contender) *contender {
	if b.median() < a.median() {
		return b
	}
	return a
}

// version is the first line that a program says of itself.
func version(b *testing.B, argv ...string) string {
	b.Helper()
	out, err := exec.CommandContext(b.Context(), argv[0], argv[1:]...).Output()
	if err != nil {
		b.Fatal(err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}
