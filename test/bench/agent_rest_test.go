package bench_test

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/test/strace"
)

var quiet = flag.Duration("quiet", 30*time.Second, "how long an agent at rest is watched")

const mebi = 1 << 20

// What an agent at rest may take.
const (
	mostAnonymous        = 12 * mebi
	mostAnonymousHundred = 16 * mebi
	mostResident         = 40 * mebi
	mostProcessor        = 0.001 // of one core
	mostGrowth           = 1 * mebi
)

// hostWrites are the system calls with which a program changes files. Those that open
// files are seen by what follows.
const hostWrites = "write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,syncfs,sync,rename,renameat,renameat2,unlink,unlinkat," +
	"mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,ftruncate,fallocate,chmod,fchmod,fchmodat,chown,fchown,fchownat," +
	"utimensat,copy_file_range,sendfile,mount,umount2,swapon,swapoff"

// sample is what the kernel says of the agent at one moment.
type sample struct {
	anonymous, resident int           // bytes
	processor           time.Duration // used so far
	threads             int
}

// sample reads /proc/PID.
func (x *agentBox) sample() sample {
	x.b.Helper()
	status := x.must("cat", "/proc/"+x.pid()+"/status")
	field := func(name string) int {
		m := regexp.MustCompile(`(?m)^` + name + `:\s+(\d+)`).FindStringSubmatch(status)
		if m == nil {
			x.b.Fatalf("no %s in %s", name, status)
		}
		n, _ := strconv.Atoi(m[1])
		return n
	}
	// The two fields of /proc/PID/schedstat and of each thread are exact; those of stat
	// are in ticks.
	var ran time.Duration
	for _, line := range strings.Split(x.sh("cat /proc/"+x.pid()+"/task/*/schedstat"), "\n") {
		n, err := strconv.ParseInt(strings.Fields(line)[0], 10, 64)
		if err != nil {
			x.b.Fatal(err)
		}
		ran += time.Duration(n)
	}
	return sample{anonymous: field("RssAnon") << 10, resident: field("VmRSS") << 10, processor: ran, threads: field("Threads")}
}

// rest watches an agent that has nothing to do.
func (x *agentBox) rest(mostAnonymous int) {
	x.b.Helper()
	asked, traced, before := x.asked(), x.traced(), x.sample()
	time.Sleep(*quiet / 2) // what is free is kept for a while, and what grows goes on growing
	middle := x.sample()
	time.Sleep(*quiet / 2)
	after := x.sample()
	share := float64(after.processor-before.processor) / float64(*quiet)
	x.b.ReportMetric(0, "ns/op")
	x.b.ReportMetric(float64(after.anonymous)/mebi, "anonymous-MiB")
	x.b.ReportMetric(float64(after.resident)/mebi, "resident-MiB")
	x.b.ReportMetric(float64(after.resident-middle.resident)/mebi, "growth-MiB")
	x.b.ReportMetric(100*share, "%core")
	x.b.ReportMetric(quiet.Minutes(), "minutes")
	if after.anonymous > mostAnonymous || after.resident > mostResident || share > mostProcessor {
		x.b.Errorf("%+v, %.2f %% of a core: want at most %d, %d and %.2f %%", after, 100*share, mostAnonymous, mostResident, 100*mostProcessor)
	}
	if grown := after.resident - middle.resident; grown > mostGrowth {
		x.b.Errorf("%d bytes more in %s", grown, *quiet/2)
	}
	if n := x.asked().since(asked); n.writes > 0 {
		x.b.Errorf("%d writes to the API server", n.writes)
	}
	if w := x.traced()[len(traced):]; len(w) > 0 {
		x.b.Errorf("writes to the host: %s", strings.Join(w, "\n"))
	}
}

// trace is the argv of a program that notes what another writes. The agent is stopped only
// at system calls that are noted.
func (x *agentBox) trace() []string {
	return []string{"strace", "-f", "-qq", "--seccomp-bpf", "-y", "-e", "trace=" + hostWrites, "-e", "signal=none", "-o", x.traceFile()}
}

func (x *agentBox) traceFile() string { return x.dir + "/trace" }

// notFiles are what a program writes to and is not the host: sockets, pipes, events, and
// its own log.
var notFiles = regexp.MustCompile(`^\d+ +\w+\((\d+<(anon_inode|socket|pipe|UNIX|TCP|NETLINK)|[12]<)`)

// noChange is what takes and releases locks, and what failed.
var noChange = regexp.MustCompile(`</run/hostprofile/(run|agent)\.lock>| = -1 E`)

// traced returns the writes to files so far.
func (x *agentBox) traced() []string {
	x.b.Helper()
	text, err := os.ReadFile(x.traceFile())
	if err != nil {
		x.b.Fatal(err)
	}
	return writesIn(string(text))
}

// writesIn returns the calls of a trace that are writes to files.
func writesIn(trace string) []string {
	return slices.DeleteFunc(strace.Calls(trace), func(call string) bool {
		return notFiles.MatchString(call) || noChange.MatchString(call)
	})
}
