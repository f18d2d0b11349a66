package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// BenchmarkPrepare brings a host from nothing to prepared, and once more where nothing has
// to change, with ours and with a script of the usual kind, in turns.
//
// The host is a container with a systemd and a firewalld of its own. It has no modules, and
// of all sysctls net.* only: what is refused there is refused to both, and both go on. The
// second time is therefore measured with what a container can have: else something would
// have to change each time. A virtual machine would have all of it, but without a
// hypervisor's help, as on most machines of CI, it is emulated, and no time of it means
// anything.
func BenchmarkPrepare(b *testing.B) {
	x := newBare(b)
	ours, script := &contender{name: "bootstrap"}, &contender{name: "script"}
	oursAgain, scriptAgain := &contender{name: "bootstrap-again"}, &contender{name: "script-again"}
	turns := []struct {
		cold, again *contender
		all, fit    []string
	}{
		{ours, oursAgain, x.up(remoteSite, "kubernetes", "kubelet-defaults", "cilium"), x.up(remoteFit, "cilium")},
		{script, scriptAgain, []string{"bash", remoteScript}, []string{"bash", remoteFitScript}},
	}
	for range 1 + *rounds/3 {
		for _, turn := range turns {
			x.reset()
			turn.cold.took = append(turn.cold.took, x.timed(turn.all...))
			x.prepared()
			x.timed(turn.fit...) // gives back what only the others wished
			turn.again.took = append(turn.again.took, x.timed(turn.fit...))
			x.prepared()
		}
	}
	b.ReportMetric(0, "ns/op")
	versions := x.versions()
	cold := milliseconds("P1", "from nothing to prepared", ours, script, nil)
	cold.Goal, cold.Met = "ratio <= 0.1, ours <= 1000 ms", cold.Ratio <= 0.1 && cold.Ours <= 1000
	put(b, cold, versions)
	again := milliseconds("P2", "the same again", oursAgain, scriptAgain, nil)
	nothing := x.writesNothing()
	again.Goal, again.Met = "ratio <= 0.02, 0 writes, 0 fsyncs", nothing && again.Ratio <= 0.02
	put(b, again, versions)
}

// bare is a container that nobody has prepared, with our program and the script.
type bare struct {
	*testbed.Container
	b *testing.B
}

const (
	remoteProgram   = "/srv/bootstrap"
	remoteSite      = "/srv/site.yaml"
	remoteFit       = "/srv/fit.yaml"
	remoteScript    = "/srv/prepare.sh"
	remoteFitScript = "/srv/fit.sh"
	remoteReset     = "/srv/reset.sh"
	remoteCheck     = "/srv/check.sh"
)

func newBare(b *testing.B) *bare {
	b.Helper()
	x := &bare{Container: testbed.StartContainer(b, testbed.ContainerOptions{}), b: b}
	file, err := program.Shared()
	if err != nil {
		b.Fatal(err)
	}
	for path, local := range map[string]string{
		remoteProgram: file, remoteReset: x.local(resetScript), remoteCheck: x.local(checkScript()),
		remoteSite: x.local(siteYAML(siteModules)), remoteScript: x.local(script(allSysctls(), modules)),
		remoteFit: x.local(siteYAML(nil)), remoteFitScript: x.local(script(siteSysctls, nil)),
	} {
		if err := x.Push(b.Context(), local, path, 0o755); err != nil {
			b.Fatal(err)
		}
	}
	x.sh("mkdir -p /srv/before && cd /proc/sys && for k in " + strings.Join(wantedPaths(), " ") + "; do [ ! -e $k ] || echo \"$k = $(cat $k)\"; done >/srv/before/values")
	return x
}

// up is the command that prepares the host.
func (x *bare) up(site string, builtins ...string) []string {
	argv := []string{remoteProgram, "up", "-q", "-f", site}
	for _, name := range builtins {
		argv = append(argv, "--profile", name)
	}
	return argv
}

// local makes a file with the content on this machine.
func (x *bare) local(content string) string {
	x.b.Helper()
	path := filepath.Join(x.b.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		x.b.Fatal(err)
	}
	return path
}

func (x *bare) sh(line string) string {
	x.b.Helper()
	return testbed.Output(x.b, x.Container, "sh", "-c", line)
}

// reset makes the host one that nobody has prepared, with a firewalld that has just begun.
func (x *bare) reset() { x.b.Helper(); x.sh("sh -e " + remoteReset) }

// prepared wants all of the work to be done.
func (x *bare) prepared() { x.b.Helper(); x.sh("sh -e " + remoteCheck) }

// timed measures a program within the container, from its start to its end. Both end with
// 1 for what a container does not have: prepared tells whether they did their work.
func (x *bare) timed(argv ...string) time.Duration {
	x.b.Helper()
	const clock = `b=$EPOCHREALTIME; "$@" >/dev/null 2>&1; e=$EPOCHREALTIME; echo $((${e/./} - ${b/./}))`
	out := testbed.Output(x.b, x.Container, append([]string{"bash", "-c", clock, "bash"}, argv...)...)
	us, err := strconv.Atoi(out)
	if err != nil {
		x.b.Fatalf("%v: %s", argv, out)
	}
	return time.Duration(us) * time.Microsecond
}

// writesNothing runs ours once more under strace, where nothing has to change, and counts.
// A write fails the benchmark: that is no matter of time.
func (x *bare) writesNothing() bool {
	x.b.Helper()
	up := strings.Join(x.up(remoteFit, "cilium"), " ")
	trace := strings.Join([]string{"strace", "-f", "-qq", "--seccomp-bpf", "-y", "-e", "trace=" + hostWrites, "-e", "signal=none", "-o", "/srv/trace "}, " ")
	x.reset()
	x.sh(trace + up)
	cold := writesIn(x.sh("cat /srv/trace"))
	x.sh(trace + up)
	again := writesIn(x.sh("cat /srv/trace"))
	if fsyncs := strings.Count(strings.Join(cold, "\n"), "fsync("); len(cold) < len(siteSysctls) || fsyncs == 0 {
		x.b.Errorf("the trace of a run that changes much has %d writes and %d fsyncs: it cannot tell", len(cold), fsyncs)
	}
	if len(again) > 0 {
		x.b.Errorf("a run where nothing has to change writes:\n%s", strings.Join(again, "\n"))
	}
	return len(again) == 0
}

func (x *bare) versions() map[string]string {
	x.b.Helper()
	return map[string]string{
		"script": fmt.Sprintf("in the container: kernel %s, %s, %s, firewalld %s", x.sh("uname -r"),
			x.sh("sysctl --version"), x.sh("systemctl --version | head -n 1"), x.sh("firewall-cmd --version")),
	}
}
