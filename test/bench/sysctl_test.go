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
//
// A profile has room for 256 sysctls. A thousand are five patterns over 200 interfaces, as
// on a node full of pods; written out, they are five profiles.
func BenchmarkThousandSysctlsCold(b *testing.B) {
	b.Run("disk", func(b *testing.B) { coldRace(b, true, byPattern) })
	b.Run("memory", func(b *testing.B) { coldRace(b, false, byPattern) })
	b.Run("names", func(b *testing.B) { coldRace(b, false, byName) })
}

// wishes are all keys in the form of ours and of the peers, and how many times as long as
// systemd-sysctl we may take; 0 stands for any.
type wishes struct {
	profile string
	conf    string
	most    float64
	row     string // of the table of results
	what    string
}

func byPattern(x *box) wishes {
	keys := patterns()
	return wishes{x.profile("bench.yaml", keys), lines(keys, " = ", wished), 2, "P3", "1000 sysctls, cold, by pattern"}
}

func byName(x *box) wishes {
	return wishes{x.profile("bench.yaml", x.keys), lines(x.keys, " = ", wished), 0, "P3-names", "1000 sysctls, cold, by name"}
}

func wished(k key) string { return k.wish }

func coldRace(b *testing.B, disk bool, form func(*box) wishes) {
	for _, program := range []string{systemdSysctl, "sysctl"} {
		if _, err := exec.LookPath(program); err != nil {
			b.Skipf("needs %s", program)
		}
	}
	x := newBox(b, 1000)
	if disk {
		x.onDisk("/etc/sysctl.d", "/var/lib/hostprofile")
	}
	w := form(x)
	conf := x.put("bench.conf", w.conf)
	ours := &contender{name: "bootstrap", run: x.timed(x.file, "up", "-q", "-f", w.profile)}
	systemd := &contender{name: "systemd-sysctl", run: x.timed(systemdSysctl, conf)}
	procps := &contender{name: "sysctl-p", run: x.timed("sysctl", "-q", "-p", conf)}
	limit := &contender{name: "loop", run: x.looped(x.put("wish", lines(x.keys, " ", wished)))}
	reset := x.looped(x.put("before", lines(x.keys, " ", func(k key) string { return k.before })))
	race(b, func() {
		reset()
		x.sh("rm -rf /var/lib/hostprofile/* /run/hostprofile " + dropIn + "; sync -f /etc/sysctl.d")
	}, x.allSet, ours, systemd, procps, limit)
	ratio(b, ours, systemd, w.most)
	ratio(b, ours, procps, 0)
	ratio(b, ours, limit, 0)
	if w.row == "" || disk {
		return
	}
	r := milliseconds(w.row, w.what, ours, faster(systemd, procps), limit)
	r.Goal, r.Met = "ratio <= 1, <= 1.5 times the limit", r.Ratio <= 1 && r.Ours <= 1.5**r.Limit
	put(b, r, map[string]string{"systemd-sysctl": version(b, systemdSysctl, "--version"), "sysctl-p": version(b, "sysctl", "--version")})
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

// allSet wants a contender to have done all of the work.
func (x *box) allSet() {
	x.b.Helper()
	got := strings.Fields(x.sh("cd /proc/sys && cat " + strings.Join(paths(x.keys), " ")))
	for i, k := range x.keys {
		if got[i] != k.wish {
			x.b.Fatalf("%s is %s", k.path, got[i])
		}
	}
}

// BenchmarkThousandSysctlsAgain runs up where nothing has to change.
func BenchmarkThousandSysctlsAgain(b *testing.B) {
	x := newBox(b, 1000)
	x.must(x.file, "up", "-f", x.profile("bench.yaml", x.keys))
	ours := &contender{name: "bootstrap", run: x.timed(x.file, "up")}
	systemd := &contender{name: "systemd-sysctl", run: x.timed(systemdSysctl, x.put("bench.conf", lines(x.keys, " = ", wished)))}
	race(b, func() {}, x.allSet, ours, systemd)
	ratio(b, ours, systemd, 0)
}

// BenchmarkPlan: ten times the keys take at most fourteen times as long.
func BenchmarkPlan(b *testing.B) {
	x := newBox(b, 1000)
	small := &contender{name: "100-keys", run: x.timed(x.file, "plan", "-q", "-f", x.profile("small.yaml", x.keys[:100]))}
	large := &contender{name: "1000-keys", run: x.timed(x.file, "plan", "-q", "-f", x.profile("large.yaml", x.keys))}
	race(b, func() {}, func() {}, small, large)
	ratio(b, large, small, 14)
}
