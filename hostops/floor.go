package hostops

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/facts"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The kernels that this project is for. Below the floor nothing is promised; between floor
// and target, features are missing that Kubernetes and Cilium are tested with. The kernel
// of RHEL 8.10 calls itself 4.18 and has what is asked for.
const (
	kernelFloor  = "4.19.57"
	kernelTarget = "5.10"
	el8Floor     = 553
)

// CheckFloor says why nothing of Kubernetes will work on this host, whatever is set on it:
// its kernel is too old, or it has no pure cgroup v2 with what kubelets need. Nil means
// that it will do; what may surprise later is in Check. Each cause is a *RefusedError.
func (h *Host) CheckFloor(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(refusal(h.kernelFloor()), refusal(h.cgroupFloor()))
}

// refuseBelowFloor refuses a kernel on which nothing is promised. That of an image is not
// known before its clones boot.
func (h *Host) refuseBelowFloor() error {
	if h.offline() {
		return nil
	}
	return refusal(h.kernelFloor())
}

// refusal turns a failure into an error, all else into nil.
func refusal(r CheckResult) error {
	if r.Outcome != CheckFail {
		return nil
	}
	return &RefusedError{Reason: r.Reason, Fix: r.Fix, Err: errors.New(r.Message)}
}

func (h *Host) kernelFloor() CheckResult {
	k := h.facts.Kernel
	r := CheckResult{ID: "floor.kernel", Outcome: CheckOK, Required: true, Message: "kernel " + k.Raw}
	switch {
	case !k.Known:
		r.Outcome, r.Required = CheckWarn, false
		r.Message = "kernel " + k.Raw + ": its version cannot be read"
	case k.EL8 >= el8Floor:
		r.Outcome, r.Reason = CheckWarn, "KernelOld"
		r.Message = "kernel " + k.Raw + " is called older than " + kernelFloor + " and has what is needed of it; Kubernetes and Cilium are tested with " + kernelTarget + " and later"
	case k.Compare(4, 19, 57) < 0:
		r.Outcome, r.Reason = CheckFail, "KernelTooOld"
		r.Message = "kernel " + k.Raw + " is older than " + kernelFloor
		r.Fix = "install a kernel of " + kernelTarget + " or later"
	case k.Compare(5, 10, 0) < 0:
		r.Outcome, r.Reason = CheckWarn, "KernelOld"
		r.Message = "kernel " + k.Raw + " works; Kubernetes and Cilium are tested with " + kernelTarget + " and later"
	}
	return r
}

// cgroupFloor goes by the type of what the first process of the host has mounted at
// /sys/fs/cgroup: beside version 1 there can be a version 2 that is not in charge.
func (h *Host) cgroupFloor() CheckResult {
	c := &h.facts.Cgroup
	r := CheckResult{ID: "floor.cgroup", Outcome: CheckOK, Required: true}
	have, missing := controllers(c)
	switch {
	case c.Mode == facts.NoCgroup:
		r.Outcome, r.Reason = CheckFail, "CgroupNotMounted"
		r.Message = "nothing is mounted at /sys/fs/cgroup, or it cannot be read"
		r.Fix = "mount -t cgroup2 none /sys/fs/cgroup, at every boot"
	case c.Mode != facts.Unified:
		r.Outcome, r.Reason = CheckFail, "CgroupLegacy"
		r.Message = "cgroup " + string(c.Mode) + "; the kubelet needs version 2 alone"
		r.Fix = h.unify()
	case len(missing) > 0:
		r.Outcome, r.Reason = CheckFail, "CgroupControllersMissing"
		r.Message = "cgroup v2 without " + strings.Join(missing, ", ")
		r.Fix = "remove cgroup_disable= and cgroup_no_v1= from the kernel's command line and reboot"
	default:
		r.Message = "cgroup v2 with " + strings.Join(have, ", ")
	}
	return r
}

// unify says how the init of this host is told to mount version 2 alone.
func (h *Host) unify() string {
	if _, err := h.machine.Files.Lstat(paths.OpenRCConfig); err == nil {
		return `set rc_cgroup_mode="unified" in ` + paths.OpenRCConfig + " and reboot"
	}
	return "boot with systemd.unified_cgroup_hierarchy=1 on the kernel's command line"
}

// controllers splits what the kubelet bounds pods with into what is there and what not.
func controllers(cgroup *facts.Cgroup) (have, missing []string) {
	for _, c := range []string{"cpu", "memory", "pids"} {
		if slices.Contains(cgroup.Controllers, c) {
			have = append(have, c)
		} else {
			missing = append(missing, c)
		}
	}
	return have, missing
}
