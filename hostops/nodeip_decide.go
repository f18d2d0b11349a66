package hostops

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// NodeIP says which address is that of the node, waiting for one as long as the profiles
// say. Nil profiles stand for the saved input, and on a host without one for a profile
// that says nothing. It writes nothing and takes no lock.
func (h *Host) NodeIP(ctx context.Context, profiles []v1alpha1.HostProfile) (NodeIPReport, error) {
	want, led, err := h.sectionOf(profiles)
	if err != nil {
		return NodeIPReport{}, err
	}
	section := h.sectionOrKept(&want, led)
	if section == nil {
		section = defaultSection("")
	}
	return h.awaitNodeIP(ctx, section, led)
}

// sectionOf compiles profiles for a command that looks only: a record that cannot be read
// is passed over.
func (h *Host) sectionOf(profiles []v1alpha1.HostProfile) (item.Desired, *ledger.Ledger, error) {
	led, err := h.openLedger()
	if err != nil {
		led = nil
	}
	in, err := h.input(profiles)
	if errors.Is(err, ErrNotManaged) {
		return item.Desired{}, led, nil
	}
	if err != nil {
		return item.Desired{}, led, err
	}
	want, err := h.compile(in, led)
	return want, led, err
}

// takeSection takes what profiles say of the node's address out of a wish; nil if they
// say nothing.
func takeSection(want *item.Desired) *item.Want {
	i := slices.IndexFunc(want.Wants, func(w item.Want) bool { return w.Key == nodeip.SectionKey })
	if i < 0 {
		return nil
	}
	section := want.Wants[i]
	want.Wants = slices.Delete(slices.Clone(want.Wants), i, i+1)
	return &section
}

// defaultSection is the wish of a command line that names an address, where no profile
// says anything.
func defaultSection(address string) *item.Want {
	all, err := nodeip.Parse(address)
	w := nodeip.Wish{
		DualStack: err == nil && len(all) == 2,
		Seconds:   int(nodeip.DefaultWait.Seconds()), Publish: nodeip.EnvironmentFile,
	}
	return &item.Want{Key: nodeip.SectionKey, State: w.State(), Required: true}
}

// keptSection is the wish for an address that is kept although no profile asks for it any
// more: it stays as it is.
func keptSection(s *nodeip.State) *item.Want {
	all, err := nodeip.Parse(s.IP)
	w := nodeip.Wish{DualStack: err == nil && len(all) == 2, Publish: nodeip.Nowhere}
	return &item.Want{Key: nodeip.SectionKey, State: w.State()}
}

// awaitNodeIP decides, and decides anew at every change of the network until the decision
// is final or the time is over.
func (h *Host) awaitNodeIP(ctx context.Context, section *item.Want, led *ledger.Ledger) (NodeIPReport, error) {
	q, err := h.question(section, led)
	if err != nil {
		return NodeIPReport{}, err
	}
	most := q.Wish.Wait()
	if w := h.options.NodeIP.Wait; w != nil {
		most = *w
	}
	h.enter("node IP")
	var last error
	var r NodeIPReport
	err = nodeip.Wait(ctx, h.machine, most, func(s *machine.Snapshot) bool {
		q.Snapshot = *s
		r, last = h.decided(q, section)
		return last != nil || !r.mayChange()
	})
	if err != nil {
		return r, fmt.Errorf("look at the network: %w", err)
	}
	return r, last
}

// mayChange reports whether waiting may lead to another decision.
func (r *NodeIPReport) mayChange() bool {
	return r.Provisional || r.Problem != nil && r.Problem.Wait
}

// decideNodeIP is awaitNodeIP without waiting.
func (h *Host) decideNodeIP(ctx context.Context, section *item.Want, led *ledger.Ledger) (NodeIPReport, error) {
	q, err := h.question(section, led)
	if err != nil {
		return NodeIPReport{}, err
	}
	if q.Snapshot, err = h.machine.Network.Snapshot(ctx); err != nil {
		return NodeIPReport{}, fmt.Errorf("look at the network: %w", err)
	}
	return h.decided(q, section)
}

func (h *Host) decided(q *nodeip.Question, section *item.Want) (NodeIPReport, error) {
	h.reportedAddress(q)
	r := NodeIPReport{
		Decision: nodeip.Decide(q), Saved: q.Saved, Profile: section.Source.Profile, Publish: q.Wish.Publish,
		Managed: section.Required,
	}
	if r.Problem == nil {
		r.Problem = h.foreignAddress(r.Publish, r.IP)
	}
	if r.Problem == nil && r.Publish == nodeip.Kubeadm {
		r.Warnings = append(r.Warnings, h.overruled(r.IP)...)
	}
	return r, nil
}

// question collects what is known but for the network.
func (h *Host) question(section *item.Want, led *ledger.Ledger) (*nodeip.Question, error) {
	wish, err := nodeip.WishOf(section.State)
	if err != nil {
		return nil, err
	}
	o := h.options.NodeIP
	q := &nodeip.Question{Wish: wish, Flag: o.Address, Move: o.Move, Env: o.Environment}
	saved := h.savedNodeIP(led)
	q.Saved, q.Clone, q.Unread, q.Mended = saved.state, saved.clone, saved.unread, saved.mended
	if q.Saved == nil {
		q.Node = h.runningKubelet()
	}
	return q, nil
}

// savedIP is what is kept of an earlier run on this machine.
type savedIP struct {
	state  *nodeip.State // nil if nothing is, or nobody knows it
	clone  bool          // something is, and it is another machine's
	unread error         // why it is not known
	// mended is what is wrong with the file, which the run writes anew from the record.
	mended error
}

// savedNodeIP reads what is kept. If the file was taken away, or is damaged, the record still
// knows. A file that cannot be read, or that a newer version wrote, is not passed over.
func (h *Host) savedNodeIP(led *ledger.Ledger) savedIP {
	s, err := nodeip.ReadState(h.machine.Files)
	if s != nil && s.Of(h.facts.MachineID) {
		return savedIP{state: s}
	}
	out := savedIP{state: h.recordedNodeIP(led), clone: s != nil}
	if out.state != nil && errors.Is(err, nodeip.ErrDamaged) {
		out.mended = err
	} else {
		out.unread = err
	}
	return out
}

// recordedNodeIP is the address that the record names for this machine; nil if it names none.
func (h *Host) recordedNodeIP(led *ledger.Ledger) *nodeip.State {
	if led == nil {
		return nil
	}
	e := led.Durable.Entry(nodeip.Key)
	if e == nil || e.Epoch != h.facts.MachineID || !e.Settled.Present() {
		return nil
	}
	return &nodeip.State{Machine: h.facts.MachineID, IP: e.Settled.Text(), Source: nodeip.FromState}
}
