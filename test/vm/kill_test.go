package vm_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

var (
	seed  = flag.Uint64("kill.seed", 1, "seed of the moments at which runs are killed")
	kills = flag.Int("kill.rounds", 50, "how often each of up and down is killed")
)

// TestKills tells that a run killed at any moment leaves a host that the next run brings
// to what is wished, or back to what it was.
func TestKills(t *testing.T) {
	n := start(t, testbed.VMOptions{SwapDisk: 64})
	n.sh("modprobe -a br_netfilter overlay nf_conntrack")
	before := n.snapshot()
	k := &killing{node: n, random: rand.New(rand.NewPCG(*seed, 0))}
	k.measure()
	n.story("at random moments", k.atRandomMoments)
	n.story("at chosen system calls", k.atSystemCalls)
	n.asBefore(before)
}

// killing plays rounds of up and down in which one of the two is killed.
type killing struct {
	*node
	random  *rand.Rand
	whole   [2]time.Duration // how long up and down take undisturbed
	off, on string           // what the host looks like before and after up
}

// look is what up changes, in one line: quick, where a snapshot is not. Leftovers show
// as files.
const look = `cd /proc/sys && { cat /proc/swaps | cut -d' ' -f1; ` +
	`find /etc/sysctl.d /etc/modules-load.d /var/lib/hostprofile /run/hostprofile ! -name disabled ! -path /var/lib/hostprofile | sort; ` +
	`grep '' /dev/null net/ipv4/ip_forward net/bridge/* fs/inotify/* vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops ` +
	`kernel/keys/root_max* net/core/somaxconn vm/max_map_count net/ipv4/tcp_rmem net/ipv4/conf/*/accept_redirects net/ipv4/conf/*/forwarding ` +
	`net/ipv4/conf/*/send_redirects net/netfilter/nf_conntrack_max; } 2>/dev/null; true`

func (k *killing) measure() {
	k.t.Helper()
	k.off = k.sh(look)
	for range 2 { // the first time everything is read from the disk
		k.whole[0] = k.took(with("up", everything...)...)
		k.on = k.sh(look)
		k.whole[1] = k.took("down", "--yes")
	}
	if k.on == k.off {
		k.t.Fatal("up changes nothing that is looked at")
	}
	k.t.Logf("up takes %v, down takes %v; seed %d", k.whole[0], k.whole[1], *seed)
}

// took is how long a run takes by the node's own clock.
func (k *killing) took(args ...string) time.Duration {
	k.t.Helper()
	out := k.sh("a=$(date +%s%N); " + remote + " " + strings.Join(args, " ") + " >/dev/null; echo $(($(date +%s%N) - a))")
	d, err := time.ParseDuration(out + "ns")
	if err != nil {
		k.t.Fatal(err)
	}
	return d
}

func (k *killing) atRandomMoments(n *node) {
	r := &killing{node: n, random: k.random, whole: k.whole, off: k.off, on: k.on}
	var hit [2]int
	for i := 0; hit[0] < *kills || hit[1] < *kills; i++ {
		if i == 3**kills {
			n.t.Fatalf("after %d rounds only %v runs were killed", i, hit)
		}
		hit[0] += r.killed(&r.whole[0], with("up", everything...)...)
		if i%4 == 0 {
			r.converges()
		}
		// The other rounds give back what the killed up left.
		hit[1] += r.killed(&r.whole[1], "down", "--yes")
		r.givesBack()
		if n.t.Failed() {
			n.t.Fatalf("in round %d of seed %d", i, *seed)
		}
	}
	n.t.Logf("killed up %d and down %d times", hit[0], hit[1])
}

// killed starts a run and kills it at a random moment of the time that it takes. It
// returns 0 if the run was faster, which corrects that time: it differs with what is left
// to do and with what else the machine does.
func (k *killing) killed(whole *time.Duration, args ...string) int {
	k.t.Helper()
	after := max(time.Duration(k.random.Int64N(int64(*whole))), time.Millisecond)
	argv := append([]string{"timeout", "-s", "KILL", fmt.Sprintf("%.4f", after.Seconds()), remote}, args...)
	switch r := k.run(argv...); r.ExitCode {
	case 137:
		*whole += *whole / 32
		return 1
	case 0:
		*whole -= *whole / 8
		return 0
	default:
		k.t.Fatalf("%v ended with %d:\n%s%s", args, r.ExitCode, r.Stdout, r.Stderr)
		return 0
	}
}

// converges wants the next up to do all that is missing, and the one after it nothing.
func (k *killing) converges() {
	k.t.Helper()
	k.becomes(k.on, with("up", everything...)...)
	files := "find /etc/sysctl.d /etc/modules-load.d /var/lib/hostprofile /run/hostprofile ! -name run.lock -printf '%p %i %T@\\n'"
	written := k.sh(files)
	if r := k.bootstrap(0, "up"); !strings.Contains(r.Stdout, "0 written") {
		k.t.Errorf("the second up after a kill still has to do: %s", r.Stdout)
	}
	if now := k.sh(files); now != written {
		k.t.Errorf("the second up after a kill writes: was\n%s\nis\n%s", written, now)
	}
}

func (k *killing) givesBack() {
	k.t.Helper()
	k.becomes(k.off, "down", "--yes")
}

// becomes runs our program, which must end well and leave the host as it should look.
// Both are one command: the way to the node costs more than they do.
func (k *killing) becomes(want string, args ...string) {
	k.t.Helper()
	const said = "/run/said"
	got := k.sh(remote + " " + strings.Join(args, " ") + " >" + said + " 2>&1 || { cat " + said + "; exit; }; rm " + said + "; " + look)
	if got != want {
		k.t.Errorf("after %v the host is\n%s\nwant\n%s", args, got, want)
	}
}

// spots are system calls at which a run is killed, by their path. strace sends the signal
// as the call begins, at its given occurrence in a thread.
var spots = []struct{ call, path string }{
	{"flock", "/run/hostprofile/run.lock"},
	{"mkdirat", "/var/lib"},
	{"fsync", "/var/lib/hostprofile"},
	{"renameat", "/var/lib/hostprofile"},
	{"renameat", "/run/hostprofile"},
	{"renameat", "/etc/sysctl.d"},
	{"utimensat", "/etc/sysctl.d"},
	{"unlinkat", "/etc/sysctl.d"},
	{"unlinkat", "/var/lib/hostprofile"},
	{"unlinkat", "/run/hostprofile"},
	{"pwrite64", "/proc/sys/net/ipv4/ip_forward"},
	{"pwrite64", "/proc/sys/vm/max_map_count"},
	{"swapoff", ""},
	{"swapon", ""},
}

func (k *killing) atSystemCalls(n *node) {
	r := &killing{node: n, off: k.off, on: k.on}
	for i, s := range spots {
		// strace is five times as fast with the filter, and then misses some calls.
		if r.spot(i, "--seccomp-bpf") == 0 && r.spot(i) == 0 {
			n.t.Errorf("neither up nor down calls %s on %q", s.call, s.path)
		}
		if n.t.Failed() {
			n.t.Fatalf("killed at %s on %q", s.call, s.path)
		}
	}
}

// spot kills up and then down at a call, and returns how many of the two made it.
func (k *killing) spot(i int, options ...string) int {
	k.t.Helper()
	call, path := spots[i].call, spots[i].path
	killed := k.killedAt(call, path, options, with("up", everything...)...)
	if i%2 == 0 {
		k.converges()
	}
	killed += k.killedAt(call, path, options, "down", "--yes")
	k.givesBack()
	return killed
}

// killedAt kills a run before its first such call. It returns 0 if there is none.
func (k *killing) killedAt(call, path string, options []string, args ...string) int {
	k.t.Helper()
	argv := []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + call, "-e", "inject=" + call + ":signal=KILL"}
	argv = append(argv, options...)
	if path != "" {
		argv = append(argv, "-P", path)
	}
	switch r := k.run(append(append(argv, remote), args...)...); r.ExitCode {
	case 137:
		return 1
	case 0:
		return 0
	default:
		k.t.Fatalf("%v ended with %d:\n%s%s", args, r.ExitCode, r.Stdout, r.Stderr)
		return 0
	}
}
