package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/trace"
	"github.com/hostprofile/hostprofile/test/snapshot"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// ownFolder is the test's own, and no part of the host under test.
const ownFolder = "/run/test"

// fileA and fileB are the profiles of the stories.
const (
	fileA = ownFolder + "/a.yaml"
	fileB = ownFolder + "/b.yaml"
)

// profileA has something of every kind that a sandbox can have.
const profileA = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec:
  nodeSelector: {}
  sysctls:
    - {name: net.ipv4.ip_forward, value: 1}
    - {name: net.core.somaxconn, value: 32768, compare: AtLeast}
    - {name: net.ipv4.tcp_rmem, value: "4096 131072 16777216"}
    - {name: net.ipv4.conf.all.accept_redirects, value: 0}
    - {name: net.ipv4.conf.eth*.rp_filter, value: 2}
    - {name: net.ipv6.conf.all.forwarding, value: 1}
  kernelModules:
    - {name: br_netfilter, ifMissing: Skip}
  mounts: {bpffs: Mounted, rootPropagation: Shared}
  nodeIP: {publish: Kubeadm}
`

// profileB has less of some, more of others and different values.
const profileB = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec:
  nodeSelector: {}
  sysctls:
    - {name: net.core.somaxconn, value: 16384}
    - {name: net.ipv4.conf.all.accept_redirects, value: 1}
    - {name: net.ipv4.conf.eth*.rp_filter, value: 1}
    - {name: net.ipv4.tcp_fin_timeout, value: 31}
    - {name: net.ipv6.conf.all.forwarding, value: 1}
  mounts: {bpffs: Mounted, rootPropagation: Shared}
  nodeIP: {publish: EnvironmentFile}
`

// world is the sandbox that the test is in, with the program in it.
type world struct {
	t       *testing.T
	looker  *looker
	program string
	flags   []string // of every run
	root    string   // folder that holds the host's file system; empty if it is /
}

// inWorld runs a test in a sandbox of its own, and returns nil outside of it.
func inWorld(t *testing.T) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program: not with -short")
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("watches system calls: needs amd64")
	}
	file := built(t)
	// Empty, so that all of it can be looked at a thousand times.
	if testbed.Reexec(t, testbed.SandboxOptions{Empty: []string{"/etc", "/var/lib"}}) {
		return nil
	}
	w := &world{t: t, looker: newLooker("/etc", "/var/lib", "/run"), program: ownFolder + "/bootstrap"}
	content, err := os.ReadFile(file)
	must(t, err)
	must(t, os.MkdirAll(ownFolder, 0o755))
	must(t, os.WriteFile(w.program, content, 0o755))
	w.write(fileA, profileA)
	w.write(fileB, profileB)
	w.furnish()
	w.network()
	return w
}

// furnish makes what a host has in /etc.
func (w *world) furnish() {
	w.t.Helper()
	for _, folder := range []string{"/etc/sysctl.d", "/etc/modules-load.d", "/etc/systemd/system"} {
		must(w.t, os.MkdirAll(folder, 0o755))
	}
	w.write("/etc/os-release", "ID=debian\nVERSION_ID=13\nPRETTY_NAME=\"a sandbox\"\n")
	w.write("/etc/machine-id", "0123456789abcdef0123456789abcdef\n")
}

// network makes a card with an address and a default route.
func (w *world) network() {
	w.t.Helper()
	w.sh("ip link add eth0 type veth peer name eth1; ip link set eth0 up; ip link set eth1 up; ip addr add 192.0.2.10/24 dev eth0; ip route add default via 192.0.2.1")
}

func (w *world) write(path, content string) {
	w.t.Helper()
	must(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(w.t, os.WriteFile(path, []byte(content), 0o644))
}

// sh runs a line of shell that must end well.
func (w *world) sh(line string) string {
	w.t.Helper()
	out, err := exec.Command("sh", "-c", line).CombinedOutput()
	if err != nil {
		w.t.Fatalf("%s: %v: %s", line, err, out)
	}
	return strings.TrimSpace(string(out))
}

// bootstrap runs the program to its end, which must be good.
func (w *world) bootstrap(args ...string) string {
	w.t.Helper()
	code, out := w.run(args...)
	if code != 0 {
		w.t.Fatalf("bootstrap %s ended with %d: %s", strings.Join(args, " "), code, out)
	}
	return out
}

// run runs the program and returns its exit code.
func (w *world) run(args ...string) (int, string) {
	w.t.Helper()
	out, err := exec.Command(w.program, slices.Concat(w.flags, args)...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	if exit != nil {
		return exit.ExitCode(), string(out)
	}
	return 0, string(out)
}

// traced runs the program and decides on each of its calls that change the host.
func (w *world) traced(decide func(n int, c trace.Call) trace.Verdict, args ...string) *trace.Run {
	w.t.Helper()
	r, err := trace.Program(decide, slices.Concat([]string{w.program}, w.flags, args)...)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) look() snapshot.Snapshot { w.t.Helper(); return w.looker.look(w.t) }

// mustBe holds the host against what it should be.
func (w *world) mustBe(want snapshot.Snapshot, when string) {
	w.t.Helper()
	if diff := snapshot.Diff(want, w.look()); len(diff) > 0 {
		w.t.Errorf("%s the host is not as it should be:\n%s", when, strings.Join(diff, "\n"))
	}
}

// unmount does what the end of a boot does: no run takes back what is mounted.
func (w *world) unmount() {
	w.t.Helper()
	if err := unix.Unmount("/sys/fs/bpf", 0); err != nil && !errors.Is(err, unix.EINVAL) {
		w.t.Fatal(fmt.Errorf("unmount /sys/fs/bpf: %w", err))
	}
	must(w.t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
}

// lockPaths are what a run has for itself while it holds the lock: the lock's file, its
// folder, and the fsync that makes that folder's name durable.
var lockPaths = []string{"/run/hostprofile/run.lock", "/run/hostprofile/run.lock (deleted)", "/run/hostprofile", "/run"}

// changesNothing runs the program, which must end well and change nothing.
func (w *world) changesNothing(when string, args ...string) {
	w.t.Helper()
	r := w.traced(nil, args...)
	if r.ExitCode != 0 {
		w.t.Errorf("%s %v ended with %d: %s", when, args, r.ExitCode, r.Output)
	}
	var lock []string
	for _, path := range lockPaths {
		lock = append(lock, w.root+path)
	}
	if changes := r.Changes(lock...); len(changes) > 0 {
		w.t.Errorf("%s %v still changes the host:\n%s", when, args, strings.Join(changes, "\n"))
	}
}
