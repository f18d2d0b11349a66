package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Summary is text for the columns of kubectl, made from the other fields. Programs read
// those.
type Summary struct {
	// applied is how many of the wanted settings are as wanted, for example 40/41.
	// +optional
	// +kubebuilder:validation:MaxLength=16
	Applied string `json:"applied,omitempty"`

	// nodeIP is the address of the node, as the host keeps it: v4, or v4,v6.
	// +optional
	// +kubebuilder:validation:MaxLength=96
	NodeIP string `json:"nodeIP,omitempty"`

	// version is the version of the agent and, behind a slash, that of the host's own
	// program when it is another one, or none: v0.2.0, v0.2.0/v0.1.4, v0.2.0/none.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Version string `json:"version,omitempty"`

	// firewalld is Trusted if all interfaces are bound as wanted, or the reason why not. It
	// is empty where no profile is about it.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Firewalld string `json:"firewalld,omitempty"`

	// message is the worst exception in a few words.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Message string `json:"message,omitempty"`
}

// Agent is the program on the node that wrote the report.
type Agent struct {
	// version is the version of the agent.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`
}

// Bootstrap is what prepares the host at boot, before the kubelet.
type Bootstrap struct {
	// version is the version of the program on the host.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	Version string `json:"version,omitempty"`

	// inputHash tells inputs apart: hosts with the same hash were given the same
	// profiles. It is "sha256:" and a number.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	InputHash string `json:"inputHash,omitempty"`

	// profiles are the names of the profiles that the host was given. HostProfiles stand
	// over them; one of the same name takes the place of all of it. At most 64.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=253
	Profiles []string `json:"profiles,omitempty"`
}

// Facts is what the host is, in its own words.
type Facts struct {
	// kernel is the release of the kernel, as "uname -r" prints it.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Kernel string `json:"kernel,omitempty"`

	// os is the name and version of the distribution, from os-release.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	OS string `json:"os,omitempty"`

	// cgroup is the layout of control groups: v2, v1 or hybrid.
	// +optional
	// +kubebuilder:validation:MaxLength=16
	Cgroup string `json:"cgroup,omitempty"`

	// selinux is permissive or enforcing. It is absent where SELinux is off.
	// +optional
	// +kubebuilder:validation:MaxLength=16
	SELinux string `json:"selinux,omitempty"`

	// firewalld is what there is of it. It is absent where no profile is about it.
	// +optional
	Firewalld *FirewalldFacts `json:"firewalld,omitempty"`
}

// ProfileReport is what became of one HostProfile on this node.
type ProfileReport struct {
	// name is the name of the HostProfile.
	// +required
	// +kubebuilder:validation:MaxLength=253
	Name string `json:"name"`

	// generation is the generation of the HostProfile that the node follows. When it is
	// less than metadata.generation of the HostProfile, the node has not got to the
	// newest one yet, could not understand it, or holds the one from before a pause. Of a
	// plan it is the one that planned is about.
	// +optional
	Generation int64 `json:"generation,omitempty"`

	// state is how this profile is on this node. Ready: all of it holds. Progressing: it
	// is being applied. Degraded: something of it does not hold. Held: what it has
	// applied is kept and nothing changed, because another profile of the same priority
	// disagrees. Paused and Planned: nothing of it is written, and planned says what
	// would change.
	// +required
	State ProfileState `json:"state"`
}

// ItemCounts counts the settings that are wanted on a node. Each counts once, and total
// is the sum of the others.
type ItemCounts struct {
	// total is how many settings are wanted. A pattern counts once for each interface
	// that it matches.
	// +kubebuilder:validation:Minimum=0
	Total int32 `json:"total"`
	// applied are as wanted.
	// +kubebuilder:validation:Minimum=0
	Applied int32 `json:"applied"`
	// held are kept as they are, because a profile is paused, planned or in conflict.
	// +kubebuilder:validation:Minimum=0
	Held int32 `json:"held"`
	// skipped do not exist on this host, and the profile says to pass over them.
	// +kubebuilder:validation:Minimum=0
	Skipped int32 `json:"skipped"`
	// failed are not as wanted; see exceptions.
	// +kubebuilder:validation:Minimum=0
	Failed int32 `json:"failed"`
	// pending could not be looked at yet, for example settings of a module that is not
	// loaded.
	// +kubebuilder:validation:Minimum=0
	Pending int32 `json:"pending"`
}

// Exception is one setting that is not as wanted, or will not stay so.
type Exception struct {
	// key names the setting by kind and name, for example
	// sysctl/net.ipv4.conf.all.rp_filter, kmod/br_netfilter or profile/site-workers.
	// +required
	// +kubebuilder:validation:MaxLength=256
	Key string `json:"key"`

	// severity says how bad it is. Error: it does not hold. Warning: it holds now and may
	// not later, or is not required. State: somebody asked for it.
	// +required
	// +kubebuilder:validation:Enum=Error;Warning;State
	Severity Severity `json:"severity"`

	// want is what the profile wants, cut at 128 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Want string `json:"want,omitempty"`

	// have is what the host has, cut at 128 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Have string `json:"have,omitempty"`

	// profile is the name of the profile that wants it.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Profile string `json:"profile,omitempty"`

	// reason is one word for why, the same words as in conditions.
	// +required
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:Pattern=`^[A-Za-z]+$`
	Reason Reason `json:"reason"`

	// source is who else sets it, when that is known.
	// +optional
	Source *Source `json:"source,omitempty"`

	// message says what is wrong and what to do about it.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	Message string `json:"message,omitempty"`
}

// Source is a place on the host that sets a value other than the wanted one.
type Source struct {
	// file is a path on the host.
	// +required
	// +kubebuilder:validation:MaxLength=256
	File string `json:"file"`

	// line counts from 1. It is absent when the whole file is meant.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Line int32 `json:"line,omitempty"`
}

// Planned is what would change.
type Planned struct {
	// hash tells plans apart: nodes with the same hash would make the same changes from
	// the same values. It is "sha256:" and a number.
	// +required
	// +kubebuilder:validation:MaxLength=128
	Hash string `json:"hash"`

	// total is how many settings would change.
	// +required
	// +kubebuilder:validation:Minimum=0
	Total int32 `json:"total"`

	// changes are the settings that would change, those that can cut connections first.
	// At most 64; omitted counts the rest.
	// +optional
	// +listType=map
	// +listMapKey=key
	// +kubebuilder:validation:MaxItems=64
	Changes []PlannedChange `json:"changes,omitempty"`

	// omitted is how many changes there are beyond those listed.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Omitted int32 `json:"omitted,omitempty"`
}

// PlannedChange is one setting that would change.
type PlannedChange struct {
	// key names the setting by kind and name, as in exceptions.
	// +required
	// +kubebuilder:validation:MaxLength=256
	Key string `json:"key"`

	// have is what the host has, cut at 128 characters. It is absent when there is
	// nothing.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Have string `json:"have,omitempty"`

	// want is what the setting would become, cut at 128 characters.
	// +optional
	// +kubebuilder:validation:MaxLength=128
	Want string `json:"want,omitempty"`

	// profile is the name of the profile that would change it.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	Profile string `json:"profile,omitempty"`

	// class says what the change can do. Connectivity: it can cut the network of the
	// node or of its pods. Tuning: it cannot.
	// +optional
	Class ChangeClass `json:"class,omitempty"`
}

// Drift is about what others changed on the host since it booted.
type Drift struct {
	// repaired is how often a setting was set again.
	// +kubebuilder:validation:Minimum=0
	Repaired int64 `json:"repaired"`

	// lastKey is the setting that was set again last.
	// +optional
	// +kubebuilder:validation:MaxLength=256
	LastKey string `json:"lastKey,omitempty"`

	// lastTime is when that was.
	// +optional
	LastTime *metav1.Time `json:"lastTime,omitempty"`
}

// NodeState sums up a node in one word.
// +kubebuilder:validation:Enum=Removed;Disabled;Degraded;Progressing;Paused;Planned;Ready
type NodeState string

const (
	// NodeRemoved says that everything was given back because somebody asked for it.
	NodeRemoved NodeState = "Removed"
	// NodeDisabled says that the host was taken out of management on the host itself.
	NodeDisabled NodeState = "Disabled"
	// NodeDegraded says that something required does not hold.
	NodeDegraded NodeState = "Degraded"
	// NodeProgressing says that profiles are being applied.
	NodeProgressing NodeState = "Progressing"
	// NodePaused says that a paused profile holds the node as it is.
	NodePaused NodeState = "Paused"
	// NodePlanned says that a profile with mode Plan would change something.
	NodePlanned NodeState = "Planned"
	// NodeReady says that all that is required holds.
	NodeReady NodeState = "Ready"
)

// ProfileState is how one profile is on one node.
// +kubebuilder:validation:Enum=Degraded;Progressing;Held;Paused;Planned;Ready
type ProfileState string

const (
	// ProfileDegraded says that something of the profile does not hold.
	ProfileDegraded ProfileState = "Degraded"
	// ProfileProgressing says that the profile is being applied.
	ProfileProgressing ProfileState = "Progressing"
	// ProfileHeld says that another profile of the same priority disagrees.
	ProfileHeld ProfileState = "Held"
	// ProfilePaused says that the profile is paused.
	ProfilePaused ProfileState = "Paused"
	// ProfilePlanned says that the profile is a plan.
	ProfilePlanned ProfileState = "Planned"
	// ProfileReady says that all of the profile holds.
	ProfileReady ProfileState = "Ready"
)

// ChangeClass says what a change can do.
// +kubebuilder:validation:Enum=Connectivity;Tuning
type ChangeClass string

const (
	// ChangeConnectivity is for changes that can cut the network of a node or its pods.
	ChangeConnectivity ChangeClass = "Connectivity"
	// ChangeTuning is for all others.
	ChangeTuning ChangeClass = "Tuning"
)
