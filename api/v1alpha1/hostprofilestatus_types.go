package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// How much a HostProfileStatus says at most. Who writes one leaves out the rest, and
// counts it.
const (
	MaxStatusProfiles   = 256
	MaxExceptions       = 64
	MaxPlannedChanges   = 64
	MaxKeyLength        = 256
	MaxShownValueLength = 128 // of want and have
	MaxMessageLength    = 256
)

// HostProfileStatus is what one node reports about its host: which profiles it follows,
// what does not hold and why. It has the name of the node, belongs to the Node object and
// goes away with it. The agent of that node writes it, and nobody else; it is written only
// when something changed, so that an old object is no sign of a dead agent. Where there is no
// end of changes it is written every 15 seconds.
//
// Nodes that are not as wanted: kubectl get hps --field-selector status.state!=Ready
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:path=hostprofilestatuses,scope=Cluster,shortName=hps
// +kubebuilder:selectablefield:JSONPath=`.status.state`
// +kubebuilder:printcolumn:name=Ready,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].status`,description="True when all that is required holds"
// +kubebuilder:printcolumn:name=Applied,type=string,JSONPath=`.status.summary.applied`,description="settings that are as wanted, of all that are wanted"
// +kubebuilder:printcolumn:name=Node-IP,type=string,JSONPath=`.status.summary.nodeIP`,description="the address that the host keeps for its node"
// +kubebuilder:printcolumn:name=Drift,type=string,JSONPath=`.status.drift.repaired`,description="how often what others changed was set again since the host booted"
// +kubebuilder:printcolumn:name=Reason,type=string,JSONPath=`.status.conditions[?(@.type=="Ready")].reason`,description="why Ready is what it is"
// +kubebuilder:printcolumn:name=Since,type=date,JSONPath=`.status.conditions[?(@.type=="Ready")].lastTransitionTime`,description="how long Ready has been what it is"
// +kubebuilder:printcolumn:name=Firewalld,type=string,priority=1,JSONPath=`.status.summary.firewalld`,description="Trusted, or why the interfaces of pods are not"
// +kubebuilder:printcolumn:name=Version,type=string,priority=1,JSONPath=`.status.summary.version`,description="version of the agent, and of the host's own program when it is another one"
// +kubebuilder:printcolumn:name=Message,type=string,priority=1,JSONPath=`.status.summary.message`,description="the worst of the exceptions"
type HostProfileStatus struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// status is what the agent of the node reports. There is no spec: what a node should
	// look like is in HostProfiles.
	// +optional
	Status HostReport `json:"status,omitempty,omitzero"`
}

// HostReport is what the agent of a node reports about its host.
type HostReport struct {
	// state sums everything up in one word. Removed: everything was given back because
	// somebody asked for it. Disabled: somebody ran "bootstrap down" on the host, and the
	// agent stays out. Degraded: something required does not hold; see exceptions.
	// Progressing: being applied. Paused: a paused profile holds the node as it is.
	// Planned: a profile with mode Plan would change something; see planned.
	// Ready: all that is required holds.
	// +required
	State NodeState `json:"state"`

	// summary is text for the columns of kubectl.
	// +optional
	Summary Summary `json:"summary,omitempty,omitzero"`

	// agent is the program that wrote this.
	// +optional
	Agent Agent `json:"agent,omitempty,omitzero"`

	// bootstrap is what prepares the host at boot, before the kubelet and without an API
	// server. When it is absent nothing does, and after a boot the host has its own
	// values until the agent runs.
	// +optional
	Bootstrap *Bootstrap `json:"bootstrap,omitempty"`

	// facts is what the host is.
	// +optional
	Facts Facts `json:"facts,omitempty,omitzero"`

	// bootID is the boot of the host that this report is about, as in
	// /proc/sys/kernel/random/boot_id.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	BootID string `json:"bootID,omitempty"`

	// profiles are the HostProfiles that select this node, by name. At most 256.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=256
	Profiles []ProfileReport `json:"profiles,omitempty"`

	// items counts the settings that are wanted on this node, by how they are.
	// +optional
	Items ItemCounts `json:"items,omitempty,omitzero"`

	// exceptions are the settings that are not as wanted, or will not stay so, the worst
	// first. What holds is not listed. At most 64; exceptionsOmitted counts the rest.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=64
	Exceptions []Exception `json:"exceptions,omitempty"`

	// exceptionsOmitted is how many exceptions there are beyond those listed.
	// +optional
	// +kubebuilder:validation:Minimum=0
	ExceptionsOmitted int32 `json:"exceptionsOmitted,omitempty"`

	// planned is what profiles with mode Plan, and paused ones, would change on this
	// node. It is absent when there are none.
	// +optional
	Planned *Planned `json:"planned,omitempty"`

	// nodeIP is the address of the node, as its host keeps it. It is absent when nothing is
	// kept.
	// +optional
	NodeIP *NodeIPReport `json:"nodeIP,omitempty"`

	// drift is about what others changed on the host since it booted. It is published at
	// most once a minute.
	// +optional
	Drift Drift `json:"drift,omitempty,omitzero"`

	// conditions are Ready, and one for each section: SysctlsReady, ModulesReady,
	// SwapReady and so on. True is good; a section that no profile of the node has is
	// True with the reason NotManaged. Ready is False only for what is required.
	// +optional
	// +listType=map
	// +listMapKey=type
	// +kubebuilder:validation:MaxItems=16
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// HostProfileStatusList is a list of what nodes report.
//
// +kubebuilder:object:root=true
type HostProfileStatusList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HostProfileStatus `json:"items"`
}
