package hostops_test

import (
	"context"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// dying is a firewalld whose bus dies before one of the questions.
type dying struct {
	machine.Firewall
	left int // questions before that
}

func (d *dying) alive() error {
	if d.left--; d.left < 0 {
		return machine.ErrBusWentAway
	}
	return nil
}

func (d *dying) Look(ctx context.Context) (machine.Firewalld, error) {
	if err := d.alive(); err != nil {
		return machine.Firewalld{}, err
	}
	return d.Firewall.Look(ctx)
}

func (d *dying) ZoneOf(ctx context.Context, b machine.Binding) (string, error) {
	if err := d.alive(); err != nil {
		return "", err
	}
	return d.Firewall.ZoneOf(ctx, b)
}

func (d *dying) Bind(ctx context.Context, zone string, b machine.Binding) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.Firewall.Bind(ctx, zone, b)
}

func (d *dying) Bound(ctx context.Context) (map[machine.Binding]string, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	return d.Firewall.Bound(ctx)
}

func (d *dying) ZoneTarget(ctx context.Context, zone string) (string, error) {
	if err := d.alive(); err != nil {
		return "", err
	}
	return d.Firewall.ZoneTarget(ctx, zone)
}

// TestABusThatDiesBeforeAnyQuestionIsNamed: nothing hides it among what waits, what cannot
// be read back is not told as somebody else's write, the next run does the rest, and down
// takes all of it back.
func TestABusThatDiesBeforeAnyQuestionIsNamed(t *testing.T) {
	for n := 0; ; n++ {
		h := firewalled()
		before := h.Clone().String()
		d := upOnABusThatDies(t, h, n)
		undone := h.Clone()
		up(t, h, "")
		inZones(t, h, false, "trusted", "trusted", "public")
		inZones(t, h, true, "trusted", "trusted", "public")
		for _, h := range []*fake.Host{undone, h} {
			down(t, h)
			if after := h.String(); after != before {
				t.Errorf("bus dead before question %d: after down the host is\n%s\nbefore it was\n%s", n, after, before)
			}
		}
		if d.left >= 0 {
			if n < 9 { // it looks, binds six times, and looks again
				t.Errorf("only %d questions", n)
			}
			return
		}
	}
}

func upOnABusThatDies(t *testing.T, h *fake.Host, n int) *dying {
	t.Helper()
	m := h.Machine()
	d := &dying{Firewall: m.Firewall, left: n}
	m.Firewall = d
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: m, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := host.Up(t.Context(), site(t, trust), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	named := false
	for _, res := range r.Results() {
		named = named || strings.Contains(res.Message, "the message bus went away")
		if !res.OK() && (res.Reason != firewalld.PermissionDenied || !strings.Contains(res.Message, "the message bus went away")) {
			t.Errorf("bus dead before question %d: %s is %s: %s %s", n, res.Key, res.Outcome, res.Reason, res.Message)
		}
	}
	if d.left < 0 && !named {
		t.Errorf("bus dead before question %d: nothing says so", n)
	}
	return d
}
