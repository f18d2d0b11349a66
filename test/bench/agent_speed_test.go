package bench_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

var trials = flag.Int("trials", 200, "how many edits, and how many foreign writes, an agent is given")

// How soon a value has to be live, from the request that changes a profile, or from the
// foreign write.
const (
	mostEditMedian = 250 * time.Millisecond
	mostEdit       = time.Second
	mostRepair     = 2 * time.Second
)

// live is an open sysctl of the sandbox.
type live struct{ *os.File }

func (x *agentBox) open(k key) live {
	x.b.Helper()
	var l live
	err := x.Do(func() (err error) { l.File, err = os.OpenFile("/proc/sys/"+k.path, os.O_RDWR, 0); return err })
	if err != nil {
		x.b.Fatal(err)
	}
	x.b.Cleanup(func() { _ = l.Close() })
	return l
}

// comes waits for a value and returns how long that took since began.
func (x *agentBox) comes(l live, want string, began time.Time) time.Duration {
	x.b.Helper()
	for b := make([]byte, 64); ; time.Sleep(time.Millisecond) {
		n, err := l.ReadAt(b, 0)
		took := time.Since(began)
		switch {
		case strings.TrimSpace(string(b[:n])) == want:
			return took
		case n == 0:
			x.b.Fatal(err)
		case took > time.Minute:
			x.b.Fatalf("%s does not become %s\n%s", l.Name(), want, x.lastWords())
		}
	}
}

// edits measures from the edit of a profile to the value in the kernel.
func (x *agentBox) edits() {
	x.b.Helper()
	l := x.open(x.keys[0])
	var took, server []time.Duration // all, and the part of the API server and its disk
	for i := range *trials {
		value := strconv.Itoa(i % 2)
		began := time.Now()
		x.edit("profile-0", value)
		server = append(server, time.Since(began))
		took = append(took, x.comes(l, value, began))
		time.Sleep(rand.N(300 * time.Millisecond))
	}
	x.edit("profile-0", x.keys[0].wish)
	x.hold(took, mostEditMedian, mostEdit)
	_, high := percentiles(server)
	x.b.ReportMetric(float64(high.Microseconds())/1000, "server-p99-ms")
}

// repairs measures from a foreign write to its repair. Each key is written once, so that
// nobody is taken for one who fights.
func (x *agentBox) repairs() {
	x.b.Helper()
	keys := x.keys[:min(*trials, len(x.keys))]
	files := make([]live, len(keys))
	for i, k := range keys {
		files[i] = x.open(k)
	}
	took := make([]time.Duration, len(keys))
	done := make(chan struct{}, len(keys))
	for i, k := range keys {
		began := time.Now()
		if _, err := files[i].WriteAt([]byte(k.before), 0); err != nil {
			x.b.Fatal(err)
		}
		go func() {
			took[i] = x.comes(files[i], k.wish, began)
			done <- struct{}{}
		}()
		time.Sleep(50*time.Millisecond + rand.N(150*time.Millisecond))
	}
	for range keys {
		<-done
	}
	x.hold(took, mostRepair, mostRepair)
}

// hold reports the median and the 99th percentile, and wants them to be at most so
// much.
func (x *agentBox) hold(took []time.Duration, mostMedian, most time.Duration) {
	x.b.Helper()
	median, high := percentiles(took)
	x.b.ReportMetric(0, "ns/op")
	for name, d := range map[string]time.Duration{"p50-ms": median, "p99-ms": high, "max-ms": took[len(took)-1]} {
		x.b.ReportMetric(float64(d.Microseconds())/1000, name)
	}
	if median > mostMedian || high > most {
		x.b.Errorf("p50 %v, p99 %v: want at most %v, %v", median, high, mostMedian, most)
	}
}

// percentiles sorts what it is given, and returns the median and the 99th percentile.
func percentiles(took []time.Duration) (median, high time.Duration) {
	slices.Sort(took)
	return took[len(took)/2], took[(len(took)*99+99)/100-1]
}

// restarts counts what an agent does that finds everything as it left it.
func (x *agentBox) restarts() {
	x.b.Helper()
	x.stop()
	asked, traced := x.asked(), x.traced()
	const times = 3
	for range times {
		x.start(x.trace()...)
		x.until("it is ready", x.ready)
		time.Sleep(3 * time.Second)
		if w := x.traced(); len(w) > 0 {
			x.b.Errorf("writes to the host: %s", strings.Join(w, "\n"))
		}
		x.stop()
	}
	x.start(x.trace()...)
	n := x.asked().since(asked)
	x.b.ReportMetric(0, "ns/op")
	x.b.ReportMetric(float64(n.writes)/times, "api-writes")
	x.b.ReportMetric(float64(n.watches)/times, "watches")
	if n.writes > 0 || n.watches > 3*times || len(traced) == 0 {
		x.b.Errorf("%d writes to the API server and %d watches in %d starts, at most 0 and %d", n.writes, n.watches, times, 3*times)
	}
}

// ready asks the agent itself.
func (x *agentBox) ready() bool {
	r, err := x.Run(x.b.Context(), "curl", "-sf", "http://127.0.0.1:9470/readyz")
	return err == nil && r.ExitCode == 0
}
