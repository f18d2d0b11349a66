package firewalld_test

import (
	"cmp"
	"context"
	"errors"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// faulty is a firewalld that fails once, and works again after that.
type faulty struct {
	machine.Firewall
	zoneOf, target error
	bound          error // each time
}

func (f *faulty) ZoneOf(ctx context.Context, b machine.Binding) (string, error) {
	if err := f.zoneOf; err != nil {
		f.zoneOf = nil
		return "", err
	}
	return f.Firewall.ZoneOf(ctx, b)
}

// Bound fails as ZoneOf does, which is asked after it.
func (f *faulty) Bound(ctx context.Context) (map[machine.Binding]string, error) {
	if err := cmp.Or(f.zoneOf, f.bound); err != nil {
		return nil, err
	}
	return f.Firewall.Bound(ctx)
}

func (f *faulty) ZoneTarget(ctx context.Context, zone string) (string, error) {
	if err := f.target; err != nil {
		f.target = nil
		return "", err
	}
	return f.Firewall.ZoneTarget(ctx, zone)
}

func withFault(f faulty) *firewalld.Operation {
	m := fake.New(fake.HasFirewalld("nftables")).Machine()
	f.Firewall = m.Firewall
	m.Firewall = &f
	return firewalld.New(m)
}

// TestAfterOneUnansweredQuestionNoneIsAsked: five seconds are waited once and not for each
// item, and a firewalld that went away may be starting again.
func TestAfterOneUnansweredQuestionNoneIsAsked(t *testing.T) {
	for _, fault := range []error{context.DeadlineExceeded, machine.ErrWentAway} {
		op := withFault(faulty{zoneOf: fault})
		for range 2 {
			if s, err := op.Observe(t.Context(), firewalld.Keys(firewalld.Trusted, "lxc+")[1]); s != item.Unknown || !errors.Is(err, fault) {
				t.Errorf("%v: %s, %v", fault, s, err)
			}
		}
	}
	op := withFault(faulty{zoneOf: errors.New("another error")})
	for i, want := range []item.State{item.Unknown, item.Absent} {
		if s, _ := op.Observe(t.Context(), firewalld.Keys(firewalld.Trusted, "lxc+")[1]); s != want {
			t.Errorf("observation %d after another error: %s", i, s)
		}
	}
}

// TestAZoneFileThatCannotBeReadHidesNothing: firewalld passes it over, and is asked about
// each item.
func TestAZoneFileThatCannotBeReadHidesNothing(t *testing.T) {
	op := withFault(faulty{bound: errors.New("no zone")})
	for _, k := range firewalld.Keys(firewalld.Trusted, "lxc+") {
		if s, err := op.Observe(t.Context(), k); s != item.Absent || err != nil {
			t.Errorf("%s: %s, %v", k, s, err)
		}
	}
}

// TestAZoneFileIsRecordedByTheLookThatBinds: a look that failed is not repeated, or the
// binding would be made without a record of the file that it is written into.
func TestAZoneFileIsRecordedByTheLookThatBinds(t *testing.T) {
	permanent := firewalld.Keys(firewalld.Trusted, "lxc+")[1]
	for _, fault := range []error{nil, errors.New("another error")} {
		op := withFault(faulty{zoneOf: fault})
		p, err := op.Prerequisites(t.Context(), []item.Want{{Key: permanent, State: item.Text(firewalld.Trusted)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s, _ := op.Observe(t.Context(), permanent); s.Known() != (len(p.Wants) == 1) {
			t.Errorf("after %v the binding is %s, and %d files are recorded", fault, s, len(p.Wants))
		}
	}
}

// TestNothingIsAppliedThatCannotBeHeldAgainstTheZones: whether the default zone keeps
// anything out is not known.
func TestNothingIsAppliedThatCannotBeHeldAgainstTheZones(t *testing.T) {
	op := withFault(faulty{target: errors.New("no zone")})
	var wants []item.Want
	for _, k := range firewalld.Keys(firewalld.Default, "lxcbr0") {
		wants = append(wants, item.Want{Key: k, State: item.Text(firewalld.Default)})
	}
	wants, _, err := op.Expand(t.Context(), wants)
	if err != nil || wants[0].Key != "firewalld/runtime/public/lxcbr0" {
		t.Fatal(wants, err)
	}
	if _, err := op.Prerequisites(t.Context(), wants, nil); err != nil {
		t.Fatal(err)
	}
	if s, err := op.Observe(t.Context(), wants[0].Key); s != item.Unknown || err == nil {
		t.Errorf("%s, %v", s, err)
	}
}

func TestKeysAreTakenApartAsTheyWereMade(t *testing.T) {
	for k, want := range map[item.Key]firewalld.Ref{
		"firewalld/permanent/trusted/cilium_host":            {Zone: "trusted", Binding: machine.Binding{Permanent: true, Name: "cilium_host"}},
		"firewalld/runtime/public/lxcbr0":                    {Zone: "public", Binding: machine.Binding{Name: "lxcbr0"}},
		"firewalld/permanent-source/trusted/198.51.100.0/24": {Zone: "trusted", Binding: machine.Binding{Permanent: true, Source: true, Name: "198.51.100.0/24"}},
		"firewalld/file/trusted":                             {Zone: "trusted", File: true},
	} {
		if got, ok := firewalld.Parse(k); !ok || got != want || got.Key() != k {
			t.Errorf("%s: %+v, %v, %s", k, got, ok, got.Key())
		}
	}
	for _, k := range []item.Key{"firewalld/runtime/trusted", "firewalld/runtime//x", "firewalld/runtime/trusted/", "firewalld/file/trusted/x", "firewalld/other/trusted/x", "sysctl/runtime/trusted/x", "firewalld"} {
		if got, ok := firewalld.Parse(k); ok {
			t.Errorf("%s: %+v", k, got)
		}
	}
}

func TestASourceIsNeverAdded(t *testing.T) {
	op := withFault(faulty{})
	err := op.Apply(t.Context(), "firewalld/permanent-source/trusted/10.0.0.0/8", item.Absent, item.Text("trusted"))
	var e *item.Error
	if !errors.As(err, &e) || e.Reason != firewalld.WouldOpenHost {
		t.Errorf("%v", err)
	}
}
