package report

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// maxCandidates is how many addresses a report lists beside the node's.
const maxCandidates = 16

// addNodeIP compares the address that the host keeps with the one by which the cluster
// knows the node, and tells where the profile would choose another one. That the address
// is lost, or cannot be chosen, is told by its item.
func (c *collection) addNodeIP(s *Situation) {
	r := s.Run.NodeIP
	if r == nil {
		return
	}
	for _, w := range r.Warnings {
		if w.Reason == nodeip.Mismatch || w.Reason == nodeip.Differs {
			f := aboutNodeIP(v1alpha1.Reason(w.Reason), withFix(w.Message, w.Fix))
			f.Severity, f.Profile = v1alpha1.SeverityWarning, r.Profile
			c.noteNodeIP(f)
		}
	}
	if !r.Managed {
		f := aboutNodeIP(v1alpha1.ReasonNodeIPHeld, "no profile asks for it any more; it is kept until 'bootstrap down' or a deliberate move")
		f.Severity = v1alpha1.SeverityState
		c.noteNodeIP(f)
	}
	if ip := keptIP(r); ip != "" && r.Problem == nil {
		c.compareNodeIP(r, ip, &s.Known)
	}
}

// compareNodeIP: the cluster may not know the node by its address.
func (c *collection) compareNodeIP(r *hostops.NodeIPReport, ip string, known *wish.Addresses) {
	if len(known.InternalIPs) == 0 {
		return // it has not registered yet
	}
	var missing []string
	for _, one := range strings.Split(ip, ",") {
		if !containsIP(known.InternalIPs, one) {
			missing = append(missing, one)
		}
	}
	if len(missing) == 0 {
		return
	}
	message := fmt.Sprintf("the Node's status has %s as InternalIP and not %s", strings.Join(known.InternalIPs, ", "), strings.Join(missing, ", "))
	if known.Writer != "" {
		message += "; it is written by " + known.Writer
	} else {
		message += "; the kubelet writes it, and has not been started with this address"
	}
	f := aboutNodeIP(v1alpha1.ReasonNodeIPMismatch, message)
	f.Severity, f.fails, f.required, f.Profile = v1alpha1.SeverityError, true, r.Managed, r.Profile
	c.add(f)
}

func aboutNodeIP(reason v1alpha1.Reason, message string) finding {
	f := finding{section: v1alpha1.ConditionNodeIPReady}
	f.Key, f.Reason, f.Message = string(nodeip.Key), reason, message
	return f
}

// noteNodeIP tells what holds and is worth a look: also in the condition.
func (c *collection) noteNodeIP(f finding) {
	c.add(f)
	c.note(f)
}

// keptIP is the address that the host keeps now.
func keptIP(r *hostops.NodeIPReport) string {
	switch {
	case r.Problem == nil:
		return r.IP
	case r.Saved != nil:
		return r.Saved.IP
	default:
		return ""
	}
}

func containsIP(list []string, ip string) bool {
	a, err := netip.ParseAddr(ip)
	return err == nil && slices.ContainsFunc(list, func(text string) bool {
		b, err := netip.ParseAddr(text)
		return err == nil && a.Unmap() == b.Unmap()
	})
}

// listed: two interfaces can have one address.
func listed(list []v1alpha1.NodeIPCandidate, address string) bool {
	return slices.ContainsFunc(list, func(c v1alpha1.NodeIPCandidate) bool { return c.Address == address })
}

// nodeIPOf is the address in a report; nil if none is kept.
func nodeIPOf(s *Situation) *v1alpha1.NodeIPReport {
	r := s.Run.NodeIP
	if r == nil || s.Removed || disabled(s) {
		return nil
	}
	out := &v1alpha1.NodeIPReport{Source: string(r.Source)}
	if ip := keptIP(r); ip != "" {
		out.Addresses = strings.Split(ip, ",")
	}
	if r.Saved != nil {
		out.Source = string(r.Saved.Source)
	}
	if len(r.Links) > 0 {
		out.Interface = cut(r.Links[0], 15)
	}
	for i := range r.Detection.Candidates {
		k := &r.Detection.Candidates[i]
		address := k.Address.Addr().String()
		if containsIP(out.Addresses, address) || listed(out.Candidates, address) || k.Verdict == nodeip.Unreachable || k.Verdict == nodeip.OtherFamily || len(out.Candidates) == maxCandidates {
			continue
		}
		out.Candidates = append(out.Candidates, v1alpha1.NodeIPCandidate{Address: address, Interface: cut(k.Link, 15), Verdict: string(k.Verdict)})
	}
	if len(out.Addresses)+len(out.Candidates) == 0 {
		return nil
	}
	return out
}
