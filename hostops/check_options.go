package hostops

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/facts"
)

// kernelOptions are what a kernel must have been built with, by who needs it. Most hosts
// run a distribution's kernel, which has them all.
var kernelOptions = []struct {
	need    string
	options []string
}{
	{"pods", []string{"NAMESPACES", "NET_NS", "PID_NS", "IPC_NS", "UTS_NS", "CGROUPS", "VETH", "SECCOMP_FILTER"}},
	{"limits of pods", []string{"MEMCG", "CPUSETS", "CGROUP_PIDS", "CGROUP_SCHED", "FAIR_GROUP_SCHED", "CFS_BANDWIDTH"}},
	{"devices of pods", []string{"CGROUP_BPF"}},
	{"images", []string{"OVERLAY_FS"}},
	{"Cilium", []string{"BPF", "BPF_SYSCALL", "BPF_JIT", "NET_CLS_BPF", "NET_CLS_ACT", "NET_SCH_INGRESS", "CRYPTO_USER_API_HASH", "PERF_EVENTS", "SCHEDSTATS"}},
	{"tunnels between nodes", []string{"VXLAN"}},
}

// checkOptions compares what the kernel was built with. What cannot be read is no fault:
// many kernels do not say.
func (p *prospect) checkOptions() []CheckResult {
	if !p.kubernetes {
		return nil
	}
	const id = "floor.options"
	have, from := facts.ReadKernelOptions(p.machine, p.facts.Kernel.Raw)
	if from == "" {
		return []CheckResult{{ID: id, Outcome: CheckInfo, Message: "what the kernel was built with cannot be read: there is no /proc/config.gz, and no file of its package"}}
	}
	var out []CheckResult
	for _, group := range kernelOptions {
		var missing []string
		for _, o := range group.options {
			if !have.Has(o) {
				missing = append(missing, "CONFIG_"+o)
			}
		}
		if len(missing) > 0 {
			out = append(out, CheckResult{
				ID: id, Outcome: CheckWarn, Reason: "KernelOptionsMissing", File: from,
				Message: fmt.Sprintf("the kernel was built without %s, for %s (%s)", strings.Join(missing, ", "), group.need, from),
				Fix:     "run a kernel of the distribution, or build it with them",
			})
		}
	}
	if len(out) == 0 {
		out = append(out, CheckResult{ID: id, Outcome: CheckOK, Message: "kernel options of Kubernetes and Cilium are set (" + from + ")"})
	}
	return out
}
