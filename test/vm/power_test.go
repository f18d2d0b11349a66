package vm_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestPowerCuts tells that a host whose power is cut in the middle of up is brought to
// what is wished by the next up, and can still be given back.
func TestPowerCuts(t *testing.T) {
	n := start(t, testbed.VMOptions{SwapDisk: 64})
	before := n.snapshot()
	k := &killing{node: n, random: rand.New(rand.NewPCG(*seed, 1))}
	k.off = k.sh(look)
	began := time.Now()
	k.up()
	took := time.Since(began) // as this machine sees it, with the way there
	k.on = k.sh(look)
	k.down()
	for range 3 {
		k.cut(took)
		k.converges()
		k.down()
	}
	n.reboot()
	n.asBefore(before)
}

// cut cuts the power at a random moment of up, and boots again.
func (k *killing) cut(most time.Duration) {
	k.t.Helper()
	run, err := k.Start(k.t.Context(), append([]string{remote, "up"}, everything...)...)
	if err != nil {
		k.t.Fatal(err)
	}
	after := time.Duration(k.random.Int64N(int64(most)))
	time.Sleep(after)
	if err := k.Kill(k.t.Context()); err != nil {
		k.t.Fatal(err)
	}
	_, lost := run.Wait()
	if err := k.Boot(k.t.Context()); err != nil {
		k.t.Fatal(err)
	}
	left := k.sh("ls -A /var/lib/hostprofile /etc/sysctl.d/zz-hostprofile.conf 2>/dev/null; true")
	k.t.Logf("cut after %v (the run was cut off: %v); found then: %s", after, lost != nil, strings.Join(strings.Fields(left), " "))
}
