package hostops_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// stuck is a clock that cannot be waited with.
type stuck struct{ machine.Clock }

var errStuck = errors.New("the clock is stuck")

func (stuck) Sleep(context.Context, time.Duration) error { return errStuck }

// A watcher that cannot go on says so: it does not wait for its own listeners for ever.
func TestAWatcherThatCannotWaitEnds(t *testing.T) {
	m := fake.New().Machine()
	m.Clock = stuck{m.Clock}
	h, err := hostops.Open(t.Context(), hostops.Options{Machine: m, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Watcher().Run(t.Context(), func(string) {}); !errors.Is(err, errStuck) {
		t.Errorf("%v", err)
	}
}
