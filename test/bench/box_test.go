package bench_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(loopVariable); file != "" {
		loop(file)
		return
	}
	code := m.Run()
	program.RemoveShared()
	os.Exit(code)
}

// box is a sandbox with many interfaces, and so with many sysctls of its own.
type box struct {
	*testbed.Sandbox
	b    *testing.B
	file string // the program
	dir  string // a folder of this machine, seen in the sandbox too
	keys []key
}

// key is a sysctl with the value that it has and the one that is wished.
type key struct {
	path         string // below /proc/sys
	before, wish string
}

// perLink are switches that every interface has, with what they are at first.
var perLink = []struct{ name, before, wish string }{
	{"log_martians", "0", "1"}, {"arp_notify", "0", "1"}, {"shared_media", "1", "0"}, {"send_redirects", "1", "0"}, {"arp_filter", "0", "1"},
}

// patterns are the keys of all interfaces of a box, by pattern.
func patterns() []key {
	var keys []key
	for _, s := range perLink {
		keys = append(keys, key{"net/ipv4/conf/b*/" + s.name, s.before, s.wish})
	}
	return keys
}

func paths(keys []key) []string {
	var list []string
	for _, k := range keys {
		list = append(list, k.path)
	}
	return list
}

// newBox makes a sandbox with n keys, five for each interface.
func newBox(b *testing.B, n int) *box {
	b.Helper()
	if os.Geteuid() != 0 {
		b.Skip("needs root")
	}
	file, err := program.Shared()
	if err != nil {
		b.Fatal(err)
	}
	s, err := testbed.NewSandbox(b.Context(), testbed.SandboxOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	x := &box{Sandbox: s, b: b, file: file, dir: b.TempDir()}
	x.links(n / len(perLink))
	return x
}

// links makes interfaces, two by two.
func (x *box) links(n int) {
	x.b.Helper()
	var batch strings.Builder
	for i := 0; i < n; i += 2 {
		fmt.Fprintf(&batch, "link add b%d type veth peer name b%d\n", i, i+1)
	}
	x.sh("mkdir -p /etc/sysctl.d && rm -f " + dropIn + " && ip -batch " + x.put("links", batch.String()))
	for i := range n {
		for _, s := range perLink {
			x.keys = append(x.keys, key{fmt.Sprintf("net/ipv4/conf/b%d/%s", i, s.name), s.before, s.wish})
		}
	}
}

const dropIn = "/etc/sysctl.d/zz-hostprofile.conf"

// put makes a file that the sandbox can read too.
func (x *box) put(name, content string) string {
	x.b.Helper()
	file := filepath.Join(x.dir, name)
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		x.b.Fatal(err)
	}
	return file
}

// sh runs a line of shell that must end well.
func (x *box) sh(line string) string { x.b.Helper(); return x.must("sh", "-c", line) }

// must runs a program that must end well, and returns what it printed.
func (x *box) must(argv ...string) string {
	x.b.Helper()
	r, err := x.Run(x.b.Context(), argv...)
	if err != nil || r.ExitCode != 0 {
		x.b.Fatalf("%v ended with %d, %v: %s%s", argv, r.ExitCode, err, r.Stdout, r.Stderr)
	}
	return strings.TrimSpace(r.Stdout)
}

// profile writes profiles that wish for the keys: one has room for 200 here.
func (x *box) profile(name string, keys []key) string {
	var p strings.Builder
	for i, part := range slices.Collect(slices.Chunk(keys, 200)) {
		fmt.Fprintf(&p, "---\napiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: bench-%d}\nspec:\n  nodeSelector: {}\n  sysctls:\n", i)
		for _, k := range part {
			fmt.Fprintf(&p, "    - {name: %s, value: %s}\n", strings.ReplaceAll(k.path, "/", "."), k.wish)
		}
	}
	return x.put(name, p.String())
}

// contender is one way to do the work that is measured.
type contender struct {
	name string
	run  func() time.Duration
	took []time.Duration
}

// enough is how many rounds it takes to say something about time.
const enough = 15

var rounds = flag.Int("rounds", enough, "how often each contender runs; with fewer than the default nothing fails for its time")

// race lets all run in turns, each between a preparation and a look at what it did, and
// reports the best of each: what else runs on the machine only ever adds.
func race(b *testing.B, prepare, verify func(), all ...*contender) {
	b.Helper()
	for range *rounds {
		for _, c := range all {
			prepare()
			c.took = append(c.took, c.run())
			verify()
		}
	}
	b.ReportMetric(0, "ns/op") // the benchmark's own time says nothing
	for _, c := range all {
		b.Logf("%s: %v", c.name, c.best())
		b.ReportMetric(float64(c.best().Microseconds())/1000, c.name+"-ms")
	}
}

func (c *contender) best() time.Duration { return slices.Min(c.took) }

func (c *contender) median() time.Duration { return median(c.took) }

func median[T cmp.Ordered](all []T) T { return slices.Sorted(slices.Values(all))[len(all)/2] }

// medianRatio is the median of how many times as long as of a contender takes, round by
// round: neighbours in time have the same neighbours on the machine.
func (c *contender) medianRatio(of *contender) float64 {
	var ratios []float64
	for i, t := range c.took {
		ratios = append(ratios, float64(t)/float64(of.took[i]))
	}
	return median(ratios)
}

// ratio reports how many times as long one takes as another, and wants it to be at most
// so much; 0 stands for any. A short run proves nothing about time, and wants nothing.
func ratio(b *testing.B, a, of *contender, most float64) {
	b.Helper()
	r := float64(a.best()) / float64(of.best())
	b.ReportMetric(r, a.name+"/"+of.name)
	if most > 0 && r > most && *rounds >= enough {
		b.Errorf("%s takes %.2f times as long as %s, more than %.2f", a.name, r, of.name, most)
	}
}

// timed measures one run of a program, from its start to its end.
func (x *box) timed(argv ...string) func() time.Duration {
	return func() time.Duration {
		began := time.Now()
		x.must(argv...)
		return time.Since(began)
	}
}
