package bench_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
	"syscall"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/profile"
	"github.com/hostprofile/hostprofile/test/testbed"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func TestProf(t *testing.T) {
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return
	}
	var batch, p strings.Builder
	for i := 0; i < 200; i += 2 {
		fmt.Fprintf(&batch, "link add b%d type veth peer name b%d\n", i, i+1)
	}
	cmd := exec.Command("ip", "-batch", "-")
	cmd.Stdin = strings.NewReader(batch.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	for i := 0; i < 200; i++ {
		if i%40 == 0 {
			fmt.Fprintf(&p, "---\napiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: bench-%d}\nspec:\n  nodeSelector: {}\n  sysctls:\n", i)
		}
		for _, s := range perLink {
			fmt.Fprintf(&p, "    - {name: net.ipv4.conf.b%d.%s, value: %s}\n", i, s.name, s.wish)
		}
	}
	f, _ := os.Create("/tmp/hpb/prof/cold")
	pprof.StartCPUProfile(f)
	var sum [5]time.Duration
	const n = 40
	for i := 0; i < n; i++ {
		c := cpu()
		mark := func(k int) { sum[k] += cpu() - c; c = cpu() }
		in, err := profile.Load("x", strings.NewReader(p.String()))
		if err != nil {
			t.Fatal(err)
		}
		mark(0)
		h, err := hostops.Open(t.Context(), hostops.Options{Root: "/"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Overrides(in); err != nil {
			t.Fatal(err)
		}
		mark(1)
		if _, err := h.Up(t.Context(), in, hostops.UpOptions{}); err != nil {
			t.Fatal(err)
		}
		mark(2)
		if _, err := h.Up(t.Context(), nil, hostops.UpOptions{}); err != nil {
			t.Fatal(err)
		}
		mark(3)
		if _, err := h.Down(t.Context(), hostops.DownOptions{}); err != nil {
			t.Fatal(err)
		}
		mark(4)
	}
	pprof.StopCPUProfile()
	f.Close()
	for i, s := range []string{"load", "overrides", "up", "again", "down"} {
		t.Logf("%s %v", s, sum[i]/n)
	}
}
