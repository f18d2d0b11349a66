package hostops

import (
	"context"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/facts"
)

// The kernels that this project is for. Below the floor nothing is promised; between
// floor and target, features are missing that Kubernetes and Cilium are tested with. A
// RHEL 8 kernel calls itself 4.18 and has what is asked for: in full since that of 8.10.
const (
	kernelFloor  = "4.19.57"
	kernelTarget = "5.10"
	el8Target    = 553
)

func (p *prospect) checkFloor(context.Context) []CheckResult {
	out := []CheckResult{p.checkKernel(), p.checkCgroup()}
	for _, w := range p.facts.Warnings {
		out = append(out, CheckResult{ID: "facts", Outcome: CheckWarn, Message: "cannot be made out: " + w})
	}
	return out
}

func (p *prospect) checkKernel() CheckResult {
	k := p.facts.Kernel
	r := CheckResult{ID: "floor.kernel", Outcome: CheckOK, Required: true, Message: "kernel " + k.Raw}
	switch {
	case !k.Known:
		r.Outcome, r.Required = CheckWarn, false
		r.Message = "kernel " + k.Raw + ": its version cannot be read"
	case tooOld(k):
		r.Outcome, r.Reason = CheckFail, "KernelTooOld"
		r.Message = "kernel " + k.Raw + " is older than " + kernelFloor
		r.Fix = "install a kernel of " + kernelTarget + " or later"
	case old(k):
		r.Outcome, r.Reason = CheckWarn, "KernelOld"
		r.Message = "kernel " + k.Raw + " works; Kubernetes and Cilium are tested with " + kernelTarget + " and later"
	}
	return r
}

func tooOld(k facts.Release) bool { return k.Compare(4, 19, 57) < 0 && k.EL8 == 0 }

func old(k facts.Release) bool { return k.Compare(5, 10, 0) < 0 && k.EL8 < el8Target }

// checkCgroup is about Kubernetes only: it is required if a profile is, and else told.
func (p *prospect) checkCgroup() CheckResult {
	r := CheckResult{ID: "floor.cgroup", Outcome: CheckOK, Required: p.kubernetes}
	have, missing := p.controllers()
	switch {
	case p.facts.Cgroup.Mode == facts.NoCgroup:
		r.Outcome, r.Reason = p.bad(), "CgroupNotMounted"
		r.Message = "nothing is mounted at /sys/fs/cgroup, or it cannot be read"
		r.Fix = "mount -t cgroup2 none /sys/fs/cgroup, at every boot"
	case p.facts.Cgroup.Mode != facts.Unified:
		r.Outcome, r.Reason = p.bad(), "CgroupLegacy"
		r.Message = "cgroup " + string(p.facts.Cgroup.Mode) + "; the kubelet needs version 2"
		r.Fix = "boot with systemd.unified_cgroup_hierarchy=1; with OpenRC: rc_cgroup_mode=\"unified\" in /etc/rc.conf"
	case len(missing) > 0:
		r.Outcome, r.Reason = p.bad(), "CgroupControllersMissing"
		r.Message = "cgroup v2 without " + strings.Join(missing, ", ")
		r.Fix = "remove cgroup_disable= from the kernel's command line and reboot"
	default:
		r.Message = "cgroup v2 with " + strings.Join(have, ", ")
	}
	return r
}

// bad is a failure where Kubernetes is meant, and information elsewhere.
func (p *prospect) bad() CheckOutcome {
	if p.kubernetes {
		return CheckFail
	}
	return CheckInfo
}

// controllers splits what the kubelet bounds pods with into what is there and what not.
func (p *prospect) controllers() (have, missing []string) {
	for _, c := range []string{"cpu", "memory", "pids"} {
		if slices.Contains(p.facts.Cgroup.Controllers, c) {
			have = append(have, c)
		} else {
			missing = append(missing, c)
		}
	}
	return have, missing
}
