package bench_test

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/program"
)

const (
	starts   = 60
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
	all := []*contender{{name: "bootstrap", run: started(b, file, "version")}}
	if runc, err := exec.LookPath("runc"); err == nil {
		all = append(all, &contender{name: "runc", run: started(b, runc, "--version")})
	}
	for range starts / rounds {
		race(b, func() {}, func() {}, all...)
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB")
	if best := all[0].best(); best > soonest || info.Size() > smallest {
		b.Errorf("start to end takes %v at best, and the program has %d bytes", best, info.Size())
	}
}

func started(b *testing.B, argv ...string) func() time.Duration {
	return func() time.Duration {
		began := time.Now()
		if err := exec.CommandContext(b.Context(), argv[0], argv[1:]...).Run(); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
}
