package hostops

import (
	"context"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

func (p *prospect) checkFloor(context.Context) []CheckResult {
	out := append([]CheckResult{p.kernelFloor(), p.checkCgroup()}, p.checkOptions()...)
	for _, w := range p.facts.Warnings {
		out = append(out, CheckResult{ID: "facts", Outcome: CheckWarn, Message: "cannot be made out: " + w})
	}
	return out
}

// checkCgroup is about Kubernetes only: it is required if a profile is, and else told.
func (p *prospect) checkCgroup() CheckResult {
	r := p.cgroupFloor()
	if r.Required = p.kubernetes; !p.kubernetes && r.Outcome == CheckFail {
		r.Outcome = CheckInfo
	}
	return r
}

// FloorWarnings are what of the floor stands against the profiles, beyond what Up refuses.
// Control groups do not keep Up from running: nothing that it sets depends on them, and the
// reboot that they need can come after it. Nil profiles stand for the saved input.
func (h *Host) FloorWarnings(profiles []v1alpha1.HostProfile) []CheckResult {
	in, err := h.input(profiles)
	if err != nil || !h.facts.Cgroup.Known {
		return nil
	}
	if r := h.cgroupFloor(); r.Outcome == CheckFail && meansKubernetes(in) {
		return []CheckResult{r}
	}
	return nil
}

// BelowFloor is what keeps a kubelet from running on this host whatever is set on it, as
// items that do not hold. It is the kernel alone: of control groups kubelets judge
// themselves, and one that ran with version 1 is not to be lost at a boot because of us.
func (h *Host) BelowFloor() []item.Result {
	r := h.kernelFloor()
	if r.Outcome != CheckFail {
		return nil
	}
	kind, name, _ := strings.Cut(r.ID, ".")
	return []item.Result{{
		Key: item.NewKey(item.Kind(kind), name), Outcome: item.Failed, Required: true,
		Reason: r.Reason, Message: r.Message + "; " + r.Fix, Fix: r.Fix,
	}}
}
