package vm_test

import (
	"strings"
	"time"
)

// withoutSwap are profiles of which every setting is written under the run lock: it is
// not held while a swap area goes out of use, and then another run may do the same.
var withoutSwap = []string{"--profile", "kubelet-defaults", "-f", siteFile}

func twoRunsAtOnce(n *node) {
	const key = "net/core/somaxconn"
	// strace holds the first run up while it writes one key.
	slow := append([]string{
		"strace", "-f", "-qq", "-o", "/dev/null", "-P", "/proc/sys/" + key,
		"-e", "trace=write,pwrite64", "-e", "inject=write,pwrite64:delay_enter=8000000", remote,
	}, with("up", withoutSwap...)...)
	first, err := n.Start(n.t.Context(), slow...)
	if err != nil {
		n.t.Fatal(err)
	}
	n.sh("until test -s " + lockFile + "; do sleep 0.1; done")
	pid := n.sh("pgrep -f -x '" + remote + " up .*'")

	refused := n.bootstrap(75, with("up", append(withoutSwap, "--lock-timeout", "0s")...)...)
	if !strings.Contains(refused.Stderr, "bootstrap up, pid "+pid) {
		n.t.Errorf("the holder, pid %s, is not named: %s", pid, refused.Stderr)
	}
	began := time.Now()
	waited := n.bootstrap(0, with("up", append(withoutSwap, "--lock-timeout", "5m")...)...)
	if !strings.Contains(waited.Stdout, "0 written") {
		n.t.Errorf("the second run did work of the first: %s", waited.Stdout)
	}
	n.t.Logf("the second run waited and ended after %.1f s", time.Since(began).Seconds())
	if r, err := first.Wait(); err != nil || r.ExitCode != 0 {
		n.t.Errorf("the first run ended with %d, %v: %s", r.ExitCode, err, first.Output())
	}
}
