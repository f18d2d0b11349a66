package firewalld_test

import (
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// atLeast is how much faster than firewall-cmd bindings have to be made.
const atLeast = 3

// TestBindingsAreMadeFasterThanByHand makes six bindings in both configurations, and the
// same with firewall-cmd, one call for each, as scripts do.
func TestBindingsAreMadeFasterThanByHand(t *testing.T) {
	if testing.Short() {
		t.Skip("starts firewalld: not with -short")
	}
	if testbed.Reexec(t, testbed.SandboxOptions{Root: root}) {
		return
	}
	w := newWorld(t, testbed.NFTables)
	ours := measure(func() { w.up(trust) })
	again := measure(func() { w.up("") })
	w.down()
	theirs := measure(func() {
		for _, config := range []string{"", "--permanent"} {
			for _, name := range all {
				w.admin(config, "--zone=trusted", "--add-interface="+name)
			}
			w.admin(config, "--zone=public", "--add-interface=lxcbr0")
		}
	})
	t.Logf("six bindings in both configurations: %s, again: %s, by firewall-cmd: %s", ours, again, theirs)
	if theirs < atLeast*ours {
		t.Errorf("%s is not %d times as fast as %s", ours, atLeast, theirs)
	}
}

func measure(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start).Round(time.Millisecond)
}
