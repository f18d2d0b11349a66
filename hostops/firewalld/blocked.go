package firewalld

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Prerequisites implements item.Preparer: it holds back every wish that must not be
// applied, and wishes for the record of a zone's file before its first change.
func (o *Operation) Prerequisites(ctx context.Context, wants []item.Want, owned []item.Key) (item.Prerequisites, error) {
	p := item.Prerequisites{Blocked: map[item.Key]*item.Error{}}
	for _, k := range owned {
		o.owned[k] = true
		if r, ok := Parse(k); ok && r.File {
			o.rewritten[r.Zone] = true
		}
	}
	if len(wants) == 0 {
		return p, nil
	}
	if b := o.blocker(ctx); b != nil {
		p.Blocked = b.blocked(ctx, wants)
	} else {
		p.Wants = o.keepWants(wants, owned)
	}
	p.Wants = append(p.Wants, o.fileWants(slices.Concat(wants, p.Wants), p.Blocked)...)
	return p, nil
}

// keepWants wishes for what is recorded, while nobody says which zone is the default one:
// nothing may be released for want of a wish.
func (o *Operation) keepWants(wants []item.Want, owned []item.Key) []item.Want {
	var out []item.Want
	for _, k := range owned {
		r, ok := Parse(k)
		if ok && !r.File && !r.Binding.Source && !slices.ContainsFunc(wants, func(w item.Want) bool { return w.Key == k }) {
			out = append(out, item.Want{Key: k, State: item.Text(r.Zone), SkipMissing: true})
		}
	}
	return out
}

// blocker knows what a wish is held against.
type blocker struct {
	*Operation
	daemon  machine.Firewalld
	uplinks []string
	open    bool // the default zone accepts everything
}

// blocker looks at what wishes are held against. It is nil if firewalld or the kernel cannot be
// asked: each item says so when it is observed.
func (o *Operation) blocker(ctx context.Context) *blocker {
	d, err := o.look(ctx)
	if err != nil {
		return nil
	}
	b := &blocker{Operation: o, daemon: d}
	if b.uplinks, err = Uplinks(ctx, o.m); err == nil {
		b.open, err = o.defaultIsOpen(ctx)
	}
	if err != nil {
		o.lost = err // what cannot be held against anything is not applied
		return nil
	}
	return b
}

// defaultIsOpen reports whether being in the default zone keeps nothing out. It matters
// only where something is to be kept out. A zone without a file lets in what it likes.
func (o *Operation) defaultIsOpen(ctx context.Context) (open bool, err error) {
	if len(o.untrusted) == 0 {
		return false, nil
	}
	err = o.ask(func() error {
		target, err := o.m.Firewall.ZoneTarget(ctx, o.daemon.DefaultZone)
		open = target == accept
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
	return open, err
}

// blocked returns the wishes that must not be applied, with the reason.
func (b *blocker) blocked(ctx context.Context, wants []item.Want) map[item.Key]*item.Error {
	out := map[item.Key]*item.Error{}
	for _, w := range wants {
		if r, ok := Parse(w.Key); ok && !w.Unmanaged {
			if why := b.why(ctx, r, w); why != nil {
				out[w.Key] = why
			}
		}
	}
	return out
}

// accept is the target of a zone that lets everything in.
const accept = "ACCEPT"

// why returns what keeps a wish from being applied, nil if nothing does.
func (b *blocker) why(ctx context.Context, r Ref, w item.Want) *item.Error {
	switch s := b.daemon.State; {
	case s == machine.FirewallAbsent, s == machine.FirewallMasked,
		s == machine.FirewallStopped && !r.Binding.Permanent:
		return idle(s)
	}
	if why := b.unfit(r); why != nil {
		return why
	}
	got, err := b.observe(ctx, r)
	b.seen[w.Key] = sight{got, err}
	if !got.Present() || got == w.State {
		return nil
	}
	return b.elsewhere(r, got)
}

// elsewhere says that a binding is in another zone: whose, decides what to do about it.
func (b *blocker) elsewhere(r Ref, got item.State) *item.Error {
	e := conflict(r, got)
	ours := r
	ours.Zone = got.Text()
	if b.owned[ours.Key()] {
		e.Message = fmt.Sprintf("%s is in zone %s because of an earlier wish, and is taken out of it first", r.Binding.Name, got)
		e.Fix = "bootstrap up"
	}
	return e
}

// unfit refuses what would open the host to its network.
func (b *blocker) unfit(r Ref) *item.Error {
	e := &item.Error{Reason: WouldOpenHost, Final: true}
	if b.untrusted[r.Key()] {
		if !b.open {
			return nil
		}
		e.Fix = "firewall-cmd --set-default-zone=public"
		e.Message = fmt.Sprintf("the default zone %s accepts everything, so that being in it would not keep %s out", r.Zone, r.Binding.Name)
		return e
	}
	for _, nic := range b.uplinks {
		if matches(r.Binding.Name, nic) {
			e.Fix = "name the interfaces of the CNI only"
			e.Message = fmt.Sprintf("%s has the default route: trusting it would open this host to its network", nic)
			return e
		}
	}
	return nil
}

// fileWants wishes for the record of the file of every zone whose permanent bindings are
// about to change, or were changed by us.
func (o *Operation) fileWants(wants []item.Want, blocked map[item.Key]*item.Error) []item.Want {
	var out []item.Want
	done := map[string]bool{}
	for _, w := range wants {
		r, ok := Parse(w.Key)
		if !ok || w.Unmanaged || w.Hold || !r.Binding.Permanent || done[r.Zone] {
			continue
		}
		changes := blocked[w.Key] == nil && o.seen[w.Key].state == item.Absent
		if !changes && !o.owned[fileKey(r.Zone)] {
			continue
		}
		done[r.Zone] = true
		out = append(out, item.Want{Key: fileKey(r.Zone), State: Rewritten, SkipMissing: true, Source: w.Source})
	}
	return out
}
