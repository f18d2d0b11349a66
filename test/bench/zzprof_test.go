package bench_test

import "testing"

func BenchmarkProf(b *testing.B) {
	x := newBox(b, 1000)
	y := x.profile("bench.yaml", x.keys)
	for _, c := range []string{"validate", "plan"} {
	r, err := x.Run(b.Context(), "env", "HPPROF=/tmp/hpb/prof/"+c, "/tmp/hpb/bprof", c, "-q", "-f", y)
	b.Log(c, err, r.Stderr[max(0,len(r.Stderr)-200):])
	}
}
