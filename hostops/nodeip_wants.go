package hostops

import (
	"context"
	"fmt"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// publishMode is that of the files through which kubelets learn the address.
const publishMode = 0o644

// nodeIPStage keeps the address and publishes it.
func (h *Host) nodeIPStage() engine.Stage {
	var decision *nodeip.Decision
	if h.nodeIP != nil {
		decision = &h.nodeIP.Decision
	}
	return engine.Stage{
		Name:       "node IP",
		Operations: []item.Operation{nodeip.NewOperation(h.machine, h.facts.MachineID, decision), h.reloadingFiles()},
		Owns: func(k item.Key) bool {
			return k == nodeip.Key || k.Kind() == item.File && nodeip.IsFile(k.Path())
		},
	}
}

// settleNodeIP turns what profiles say of the node's address into wishes for the address
// and for the files that publish it. Without a section, what is kept stays. The report is
// nil where there is nothing to keep and nothing to decide.
func (h *Host) settleNodeIP(ctx context.Context, want *item.Desired, led *ledger.Ledger) (*NodeIPReport, error) {
	h.nodeIP = nil
	section := h.sectionOrKept(want, led)
	if section == nil {
		return nil, nil
	}
	r, err := h.decideNodeIP(ctx, section, led)
	if err != nil {
		return nil, err
	}
	if err := h.waits(&r, section); err != nil {
		return nil, err
	}
	h.nodeIP = &r
	want.Wants = append(want.Wants, unwished(want.Wants, h.nodeIPWants(&r, section, led))...)
	return &r, nil
}

// waits makes a problem of a decision that waiting may change, until it was waited for as
// long as the profile says: an address is kept for good.
func (h *Host) waits(r *NodeIPReport, section *item.Want) error {
	if h.since.IsZero() || !r.Provisional || r.Problem != nil || r.Saved != nil {
		return nil
	}
	wish, err := nodeip.WishOf(section.State)
	if err != nil {
		return err
	}
	if h.machine.Clock.Now().Before(h.since.Add(wish.Wait())) {
		r.Problem = &nodeip.Problem{
			Reason: nodeip.NotFound, Wait: true,
			Message: fmt.Sprintf("it would be %s now, and may be another one once all interfaces have theirs", r.IP),
		}
	}
	return nil
}

// sectionOrKept returns the wish that counts; nil if there is none.
func (h *Host) sectionOrKept(want *item.Desired, led *ledger.Ledger) *item.Want {
	if section := takeSection(want); section != nil {
		return section
	}
	if address := h.options.NodeIP.Address; address != "" {
		return defaultSection(address)
	}
	switch saved := h.savedNodeIP(led); {
	case saved.state != nil:
		return keptSection(saved.state)
	case saved.unread != nil:
		return keptSection(&nodeip.State{})
	default:
		return nil
	}
}

func (h *Host) nodeIPWants(r *NodeIPReport, section *item.Want, led *ledger.Ledger) []item.Want {
	own := *section
	own.Key, own.State = nodeip.Key, item.Unknown
	ip := r.IP
	if r.Problem != nil {
		ip = ""
		if r.Saved != nil {
			ip = r.Saved.IP // what is published stays
		}
	}
	if ip != "" {
		own.State = item.Text(ip)
	}
	out := []item.Want{own}
	var parents []string
	for _, p := range nodeip.Publishes() {
		f, _ := nodeip.FileOf(p)
		kept := recorded(led, file.Key(f.Path))
		wanted := ip != "" && (p == r.Publish || kept && !h.options.NodeIP.Move)
		if wanted && p == r.Publish && !kept && h.alreadyThere(p, ip) {
			continue // somebody's own file says the same
		}
		if wanted {
			w := own
			w.Key = file.Key(f.Path)
			w.State = item.FileState(publishMode, []byte(nodeip.Render(p, ip, h.configArgs(p))))
			out = append(out, w)
		}
		if ip == "" && kept && r.unread() {
			out = append(out, asRecorded(own, file.Key(f.Path), led))
		}
		if wanted || kept {
			parents = append(parents, f.Parents...)
		}
	}
	slices.Sort(parents)
	for _, path := range slices.Compact(parents) {
		out = append(out, dir.Parent(path))
	}
	return out
}

// unread reports whether nobody knows what is saved.
func (r *NodeIPReport) unread() bool {
	return r.Problem != nil && r.Problem.Reason == nodeip.Unreadable
}

// asRecorded is the wish that a file stays as it was written last.
func asRecorded(like item.Want, k item.Key, led *ledger.Ledger) item.Want {
	e, _ := led.Entry(k)
	like.Key, like.State = k, e.Target
	return like
}

// refusal is a decision that keeps a run from beginning.
func (r *NodeIPReport) refusal() error {
	if r == nil || r.Problem == nil || !r.Problem.Refuse || !r.Managed {
		return nil
	}
	return &RefusedError{Reason: r.Problem.Reason, Fix: r.Problem.Fix, Err: r.Problem.Failure()}
}
