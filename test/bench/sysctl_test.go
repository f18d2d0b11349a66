package bench_test

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

const systemdSysctl = "/usr/lib/systemd/systemd-sysctl"

// BenchmarkThousandSysctlsCold sets a thousand sysctls on a host that has none of them
// right and nothing of ours. We read every key before and after, keep a durable record
// and write the boot file; the peers write only.
func BenchmarkThousandSysctlsCold(b *testing.B) {
	b.Run("disk", func(b *testing.B) { coldRace(b, true) })
	b.Run("memory", func(b *testing.B) { coldRace(b, false) })
}

func coldRace(b *testing.B, disk bool) {
	for _, program := range []string{systemdSysctl, "sysctl"} {
		if _, err := exec.LookPath(program); err != nil {
			b.Skipf("needs %s", program)
		}
	}
	x := newBox(b, 1000)
	if disk {
		x.onDisk("/etc/sysctl.d", "/var/lib/hostprofile")
	}
	conf := x.put("bench.conf", lines(x.keys, " = ", func(k key) string { return k.wish }))
	ours := &contender{name: "bootstrap", run: x.timed(x.file, "up", "-q", "-f", x.profile("bench.yaml", x.keys))}
	systemd := &contender{name: "systemd-sysctl", run: x.timed(systemdSysctl, conf)}
	procps := &contender{name: "sysctl-p", run: x.timed("sysctl", "-q", "-p", conf)}
	limit := &contender{name: "loop", run: x.looped(x.put("wish", lines(x.keys, " ", func(k key) string { return k.wish })))}
	reset := x.looped(x.put("before", lines(x.keys, " ", func(k key) string { return k.before })))
	race(b, func() {
		reset()
		x.sh("rm -rf /var/lib/hostprofile/* /run/hostprofile " + dropIn + "; sync -f /etc/sysctl.d")
	}, ours, systemd, procps, limit)
	x.allSet()
	ratio(b, ours, systemd, 2)
	ratio(b, ours, procps, 0)
	ratio(b, ours, limit, 0)
}

// onDisk puts folders of this machine's disk in place of those in memory.
func (x *box) onDisk(folders ...string) {
	x.b.Helper()
	for _, folder := range folders {
		own := x.dir + folder
		x.sh("mkdir -p -m 755 " + own + " " + folder + " && mount --bind " + own + " " + folder)
	}
}

func lines(keys []key, between string, value func(key) string) string {
	var s strings.Builder
	for _, k := range keys {
		s.WriteString(k.path + between + value(k) + "\n")
	}
	return s.String()
}

// looped runs the loop, which measures itself: its start does not count.
func (x *box) looped(file string) func() time.Duration {
	self, err := os.Executable()
	if err != nil {
		x.b.Fatal(err)
	}
	return func() time.Duration {
		ns, err := strconv.Atoi(x.must("env", loopVariable+"="+file, self))
		if err != nil {
			x.b.Fatal(err)
		}
		return time.Duration(ns)
	}
}

// allSet wants the last contender to have done the work.
func (x *box) allSet() {
	x.b.Helper()
	k := x.keys[len(x.keys)-1]
	if got := x.must("cat", "/proc/sys/"+k.path); got != k.wish {
		x.b.Fatalf("%s is %s", k.path, got)
	}
}

// BenchmarkThousandSysctlsAgain runs up where nothing has to change.
func BenchmarkThousandSysctlsAgain(b *testing.B) {
	x := newBox(b, 1000)
	x.must(x.file, "up", "-f", x.profile("bench.yaml", x.keys))
	ours := &contender{name: "bootstrap", run: x.timed(x.file, "up")}
	systemd := &contender{name: "systemd-sysctl", run: x.timed(systemdSysctl, x.put("bench.conf", lines(x.keys, " = ", func(k key) string { return k.wish })))}
	race(b, func() {}, ours, systemd)
	ratio(b, ours, systemd, 0)
}

// BenchmarkPlan: ten times the keys take at most fourteen times as long.
func BenchmarkPlan(b *testing.B) {
	x := newBox(b, 1000)
	small := &contender{name: "100-keys", run: x.timed(x.file, "plan", "-q", "-f", x.profile("small.yaml", x.keys[:100]))}
	large := &contender{name: "1000-keys", run: x.timed(x.file, "plan", "-q", "-f", x.profile("large.yaml", x.keys))}
	race(b, func() {}, small, large)
	ratio(b, large, small, 14)
}
