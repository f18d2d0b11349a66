package v1alpha1

// Reasons of what is fine.
const (
	ReasonAllApplied      Reason = "AllApplied"
	ReasonNotManaged      Reason = "NotManaged"
	ReasonNoProfile       Reason = "NoProfile"
	ReasonNotInstalled    Reason = "NotInstalled"
	ReasonNotRunning      Reason = "NotRunning"
	ReasonMasked          Reason = "Masked"
	ReasonInterfaceAbsent Reason = "InterfaceAbsent"
	ReasonSwapRetained    Reason = "SwapRetained"
)

// Reasons of states that somebody asked for.
const (
	ReasonHeld              Reason = "Held"
	ReasonReleasing         Reason = "Releasing"
	ReasonPaused            Reason = "Paused"
	ReasonPlanned           Reason = "Planned"
	ReasonAgentNotReporting Reason = "AgentNotReporting"
)

func fineReasons() []ReasonInfo {
	return []ReasonInfo{
		{ReasonAllApplied, SeverityFine, "everything that is wanted holds", ""},
		{ReasonNotManaged, SeverityFine, "no profile of this node has this section", ""},
		{ReasonNoProfile, SeverityFine, "no profile selects this node", "kubectl get hostprofile"},
		{ReasonNotInstalled, SeverityFine, "firewalld is not installed, so there is nothing to open", ""},
		{ReasonNotRunning, SeverityFine, "firewalld is installed and stopped, so there is nothing to open", ""},
		{ReasonMasked, SeverityFine, "the unit of firewalld is masked, so there is nothing to open", ""},
		{ReasonInterfaceAbsent, SeverityFine, "the interface does not exist yet; its settings are applied when it appears", "ip link show"},
		{ReasonSwapRetained, SeverityFine, "swap is on and a profile says to keep it", "cat /proc/swaps"},
	}
}

func stateReasons() []ReasonInfo {
	return []ReasonInfo{
		{ReasonHeld, SeverityState, "the profile keeps what it has applied and changes nothing, because it is paused, planned or in conflict", "kubectl describe hostprofile"},
		{ReasonReleasing, SeverityState, "a profile is gone or does not select this node any more: what it applied stays until that is certain, and is given back then", ""},
		{ReasonPaused, SeverityState, "a profile is paused: what is applied stays, and what would change is published", "kubectl get hostprofilestatus NODE -o yaml"},
		{ReasonPlanned, SeverityState, "a profile is a plan: nothing is written, and what would change is published", "kubectl get hostprofilestatus NODE -o yaml"},
		{ReasonAgentNotReporting, SeverityState, "the agent of this node has not been ready for five minutes, so that nobody knows the state of the host", "kubectl get pods -A -o wide --field-selector spec.nodeName=NODE"},
	}
}
