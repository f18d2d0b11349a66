package v1alpha1

// Condition types of a HostProfile. True is good for Ready only; the other three are
// about the profile as a whole and are normally False.
const (
	// ConditionReady says that every selected node holds what the profile wants.
	ConditionReady = "Ready"
	// ConditionReconciling says that nodes are still working on this generation.
	ConditionReconciling = "Reconciling"
	// ConditionStalled says that nodes will not get further without a person.
	ConditionStalled = "Stalled"
	// ConditionConflict says that another profile of the same priority disagrees.
	ConditionConflict = "Conflict"
)

// Condition types of a HostProfileStatus, next to ConditionReady. True is good.
const (
	// ConditionSysctlsReady is about /proc/sys.
	ConditionSysctlsReady = "SysctlsReady"
	// ConditionModulesReady is about kernel modules.
	ConditionModulesReady = "ModulesReady"
	// ConditionSwapReady is about swap.
	ConditionSwapReady = "SwapReady"
	// ConditionMountsReady is about the BPF file system and mount propagation.
	ConditionMountsReady = "MountsReady"
	// ConditionDirectoriesReady is about directories.
	ConditionDirectoriesReady = "DirectoriesReady"
	// ConditionFirewalldReady is about the zones of firewalld.
	ConditionFirewalldReady = "FirewalldReady"
	// ConditionNodeIPReady is about the address that the kubelet uses.
	ConditionNodeIPReady = "NodeIPReady"
	// ConditionSELinuxReady is about SELinux labels and policy.
	ConditionSELinuxReady = "SELinuxReady"
	// ConditionBootReady says that the host is prepared before the kubelet at boot.
	ConditionBootReady = "BootReady"
)

// Condition types on the Node. True is good. All four are there for as long as an agent
// manages the node, because whoever keeps workloads away by conditions reads a missing
// one as Unknown.
const (
	// NodeConditionReady sums up everything about the host.
	NodeConditionReady = "HostProfileReady"
	// NodeConditionSysctls is about /proc/sys.
	NodeConditionSysctls = "HostSysctlsReady"
	// NodeConditionFirewalld is about the zones of firewalld.
	NodeConditionFirewalld = "HostFirewalldReady"
	// NodeConditionNodeIP is about the address that the kubelet uses.
	NodeConditionNodeIP = "HostNodeIPReady"
)

// Severity says how bad a reason is.
type Severity string

const (
	// SeverityFine is for reasons of conditions that are True.
	SeverityFine Severity = "Fine"
	// SeverityError is for something that does not hold.
	SeverityError Severity = "Error"
	// SeverityWarning is for something that holds now, and may not later.
	SeverityWarning Severity = "Warning"
	// SeverityState is for a state that somebody asked for, and is neither good nor bad.
	SeverityState Severity = "State"
)

// Reason is why a condition is what it is, or why an item is not as wanted: one word for
// programs and alerts, the same in conditions, statuses and the output of the commands.
type Reason string

// ReasonInfo is what a reason means to the person who reads it.
//
// +kubebuilder:object:generate=false
type ReasonInfo struct {
	Reason   Reason
	Severity Severity
	// Meaning is one sentence without the full stop.
	Meaning string
	// Next is what to do or to run; NODE and KEY stand for the name of the node and the
	// key of the item. It is empty when there is nothing to do.
	Next string
}

// LookUpReason returns what a reason means. It is false for a reason of another version.
func LookUpReason(reason Reason) (ReasonInfo, bool) {
	for _, info := range Reasons() {
		if info.Reason == reason {
			return info, true
		}
	}
	return ReasonInfo{}, false
}

// Reasons returns every reason with its meaning, each once: the fine ones, the errors,
// the warnings and the states. The caller may change the result.
func Reasons() []ReasonInfo {
	var all []ReasonInfo
	all = append(all, fineReasons()...)
	all = append(all, errorReasons()...)
	all = append(all, warningReasons()...)
	return append(all, stateReasons()...)
}
