package faults

import (
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/test/faults/trace"
)

// busPatience is how long a run may take whose bus has died: as long as one question that
// nobody answers, and the rest of a run.
const busPatience = 30 * time.Second

// TestTheBusIsKilledInTheMiddle kills the message bus before a message of a run. The run
// ends and names the bus; with a new bus the next run does what is missing, or takes back
// what was done.
func TestTheBusIsKilledInTheMiddle(t *testing.T) {
	k := inWalled(t)
	if k == nil {
		return
	}
	before, after, r := k.undisturbed()
	sent := someOf(sentBy(r))
	for _, n := range sent {
		k.recovers("after the bus was killed at "+names(r.Calls)[n], before, after, func() { k.withoutBus(n) })
	}
	tell(t, "bus killed in the middle of a run: %d times, all bindings made or taken back", len(sent))
}

// withoutBus kills the bus before the n-th call of a run, and starts a new one, with a new
// firewalld, after its end.
func (k *walled) withoutBus(n int) {
	k.t.Helper()
	start := time.Now()
	r := k.traced(func(at int, _ trace.Call) trace.Verdict {
		if at == n {
			start = time.Now()
			k.KillBus()
		}
		return trace.Verdict{}
	}, k.do...)
	if took := time.Since(start); took > busPatience {
		k.t.Errorf("without a bus at %s the run took %s", names(r.Calls)[n], took)
	}
	// What nobody requires is a warning, and the run ends well.
	if r.Killed() || !strings.Contains(r.Output, "the message bus ") {
		k.t.Errorf("without a bus at %s the run ended with %d: %s", names(r.Calls)[n], r.ExitCode, r.Output)
	}
	k.Stop()
	k.StartBus()
	k.Start()
}

// sentBy are the calls of a run that send a message.
func sentBy(r *trace.Run) (sent []int) {
	for n, c := range r.Calls {
		if c.Sent {
			sent = append(sent, n)
		}
	}
	return sent
}

// someOf are all messages in the long form, and three of them in the short one.
func someOf(sent []int) []int {
	if long {
		return sent
	}
	return []int{sent[len(sent)/2], sent[len(sent)*3/4], sent[len(sent)-1]}
}
