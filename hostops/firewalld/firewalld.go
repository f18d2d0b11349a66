package firewalld

import (
	"context"
	"errors"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Operation serves the bindings of one host during one run: what firewalld is, is looked
// up once.
type Operation struct {
	m      *machine.Machine
	looked bool
	daemon machine.Firewalld
	lost   error // firewalld did not answer in time, and is not asked again

	owned     map[item.Key]bool
	seen      map[item.Key]sight         // observed a moment ago, by Prerequisites
	bound     map[machine.Binding]string // since the last change of ours; nil if not asked
	untrusted map[item.Key]bool          // wished to be out of the trusted zone
	rewritten map[string]bool            // zones whose file firewalld wrote because of us
}

// sight is what one look at a binding gave. Whether the file of its zone is recorded, and
// whether it is bound, is decided by the same one: a look that failed and that is repeated
// could succeed, and the zone's file would be changed without a record.
type sight struct {
	state item.State
	err   error
}

// New returns the operation for a host.
func New(m *machine.Machine) *Operation {
	return &Operation{
		m: m, owned: map[item.Key]bool{}, seen: map[item.Key]sight{},
		untrusted: map[item.Key]bool{}, rewritten: map[string]bool{},
	}
}

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Firewalld }

// Traits implements item.Operation. Both configurations are recorded durably: what runs
// after a boot was loaded from the files that we had changed. The file of a zone is
// looked after when its bindings have been.
func (o *Operation) Traits(k item.Key) item.Traits {
	t := item.Traits{Store: item.Durable}
	if r, ok := Parse(k); ok && r.File {
		t.Rank = 1
	}
	return t
}

// Expand implements item.Expander. No wish is a pattern, wildcards are firewalld's own;
// but a wish for the default zone is one for the zone that is it.
func (o *Operation) Expand(ctx context.Context, wants []item.Want) (single, patterns []item.Want, err error) {
	for _, w := range wants {
		if r, ok := Parse(w.Key); ok && r.Zone == Default && !r.File {
			if d, err := o.look(ctx); err == nil && d.DefaultZone != "" {
				r.Zone = d.DefaultZone
				w.Key, w.State = r.Key(), item.Text(r.Zone)
				o.untrusted[w.Key] = true
			}
		}
		single = append(single, w)
	}
	return single, nil, nil
}

// Observe implements item.Operation. A binding reads as the zone that holds it, whatever
// zone its key names, or is Absent. The file of a zone reads as its content, or as
// Rewritten.
func (o *Operation) Observe(ctx context.Context, k item.Key) (item.State, error) {
	r, ok := Parse(k)
	if !ok {
		return item.Unknown, fmt.Errorf("%s is no item of firewalld", k)
	}
	if r.File {
		return o.observeFile(r.Zone)
	}
	if s, ok := o.seen[k]; ok {
		delete(o.seen, k)
		return s.state, s.err
	}
	return o.observe(ctx, r)
}

func (o *Operation) observe(ctx context.Context, r Ref) (item.State, error) {
	d, err := o.look(ctx)
	if err != nil {
		return item.Unknown, err
	}
	zone, err := o.zoneOf(ctx, r.Binding)
	switch {
	case err != nil:
		return item.Unknown, explain(r, err)
	case zone == "":
		return item.Absent, nil
	case d.State == machine.FirewallAbsent:
		return item.Unknown, idle(d.State) // its files stayed, and what edits them is gone
	default:
		return item.Text(zone), nil
	}
}

// zoneOf asks for all that is bound at once: each question takes milliseconds.
func (o *Operation) zoneOf(ctx context.Context, b machine.Binding) (zone string, err error) {
	if o.bound == nil {
		all := map[machine.Binding]string{}
		if err = o.ask(func() error { all, err = o.m.Firewall.Bound(ctx); return err }); err == nil {
			o.bound = all
		}
	}
	if o.bound != nil {
		return o.bound[b], nil
	}
	return zone, o.ask(func() error { zone, err = o.m.Firewall.ZoneOf(ctx, b); return err })
}

// Apply implements item.Operation.
func (o *Operation) Apply(ctx context.Context, k item.Key, from, to item.State) error {
	clear(o.seen)
	o.bound = nil
	r, ok := Parse(k)
	switch {
	case !ok:
		return fmt.Errorf("%s is no item of firewalld", k)
	case r.File:
		return o.applyFile(ctx, r.Zone, to)
	case to == item.Absent:
		return explain(r, o.ask(func() error { return o.m.Firewall.Unbind(ctx, r.Zone, r.Binding) }))
	case r.Binding.Source:
		return &item.Error{Reason: WouldOpenHost, Final: true, Message: "a source is never trusted: anybody can write that address into a packet"}
	case to != item.Text(r.Zone):
		return fmt.Errorf("%s cannot become %s", k, to)
	case from == item.Absent:
		return explain(r, o.ask(func() error { return o.m.Firewall.Bind(ctx, r.Zone, r.Binding) }))
	default:
		return conflict(r, from)
	}
}

// look returns what firewalld is; the same for the whole run, an error included.
func (o *Operation) look(ctx context.Context) (machine.Firewalld, error) {
	if !o.looked {
		o.looked = true
		d, err := o.m.Firewall.Look(ctx)
		if err != nil {
			o.lost = err
		}
		o.daemon = d
	}
	if o.lost != nil {
		return machine.Firewalld{}, unreachable(o.lost)
	}
	return o.daemon, nil
}

// ask lets firewalld do something, unless it has left a question without an answer: a
// firewalld that is silent must not take five seconds for each item, and the files of one
// that is just starting again must not be edited.
func (o *Operation) ask(call func() error) error {
	if o.lost != nil {
		return o.lost
	}
	err := call()
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, machine.ErrWentAway) {
		o.lost = err
	}
	return err
}
