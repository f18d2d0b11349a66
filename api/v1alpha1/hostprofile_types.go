package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// HostProfile is a wish about Linux hosts: kernel settings, kernel modules and swap of
// every node that its selector matches. Who may write one may change the kernel of every
// node: treat that right like root.
//
// Several profiles may select one node. For each setting the profile with the higher
// priority wins. When a profile no longer names a setting, or no longer selects a node,
// the value from before is given back. What a node made of it says its
// HostProfileStatus: kubectl get hps.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:scope=Cluster,shortName=hprof
// +kubebuilder:printcolumn:name=Mode,type=string,JSONPath=`.spec.mode`
// +kubebuilder:printcolumn:name=Priority,type=integer,JSONPath=`.spec.priority`
// +kubebuilder:printcolumn:name=Age,type=date,JSONPath=`.metadata.creationTimestamp`
type HostProfile struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// spec says which nodes are meant and what they should look like.
	// +required
	Spec HostProfileSpec `json:"spec"`
}

// HostProfileSpec is what a HostProfile wants. Every section is optional; a section or
// setting that is absent is not managed, and stays as the host has it.
//
// Nothing here has a default in the schema: a default would belong to whoever created the
// profile, and would show as a difference to tools that compare it with a repository.
//
// +kubebuilder:validation:XValidation:rule="!has(self.mode) || self.mode != 'Plan' || (has(oldSelf.mode) && oldSelf.mode == 'Plan')",reason=FieldValueForbidden,fieldPath=".mode",message="a profile that is enforced cannot become a plan: every node would give back what it applied. To hold it as it is, set paused: true; to see what a change would do, create a second profile with mode: Plan; to give everything back, delete the profile"
// +kubebuilder:validation:XValidation:rule="!has(self.nodeIP) || !has(self.nodeIP.address) || (has(self.nodeSelector.matchLabels) && 'kubernetes.io/hostname' in self.nodeSelector.matchLabels)",fieldPath=".nodeIP.address",message="no two nodes have one address; select one by the label kubernetes.io/hostname in matchLabels, or name subnets"
type HostProfileSpec struct {
	// nodeSelector says which nodes this profile is for. Write {} for every node. It has
	// to be written: a profile without it is refused, so that a forgotten or misspelt
	// selector never means every node.
	// +required
	NodeSelector *metav1.LabelSelector `json:"nodeSelector"`

	// priority decides between profiles that want different values for one setting of
	// one node: the higher number wins. Absent means 0. The profiles that come with the
	// product use negative numbers, so anything you write wins over them. Two profiles
	// of the same priority that disagree are a conflict, and the setting is left as it is.
	// +optional
	Priority int32 `json:"priority,omitempty"`

	// mode says what to do with the profile: Enforce, which is also meant when it is
	// absent, applies it; Plan writes nothing to any host, and each node publishes in its
	// HostProfileStatus what would change. A plan becomes enforced when mode is removed
	// or set to Enforce. The way back is refused, because every node would give back what
	// it applied: pause the profile, or delete it.
	// +optional
	Mode Mode `json:"mode,omitempty"`

	// driftPolicy says what to do when somebody else changes a setting of this profile on
	// a host: Repair, which is also meant when it is absent, sets it again within seconds;
	// Report leaves the foreign value until the profile changes or the host boots, and
	// shows it in the HostProfileStatus of the node.
	// +optional
	DriftPolicy DriftPolicy `json:"driftPolicy,omitempty"`

	// paused, when true, keeps on every node what this profile has applied, and changes
	// nothing: neither an edit nor drift is acted on, and each node publishes in its
	// HostProfileStatus what would change. It is meant for a person in a hurry, not for a
	// repository: what a repository names is set back to what the repository says.
	// +optional
	Paused bool `json:"paused,omitempty"`

	// sysctls are kernel settings below /proc/sys, one per entry. At most 256.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=256
	// +kubebuilder:validation:XValidation:rule="!self.exists(s, s.name == 'net.ipv4.ip_forward') || !self.exists(s, s.name == 'net.ipv4.conf.all.forwarding')",message="net.ipv4.ip_forward and net.ipv4.conf.all.forwarding are the same kernel variable; keep one of them"
	// +kubebuilder:validation:XValidation:rule="!self.exists(s, s.name == 'net.nf_conntrack_max') || !self.exists(s, s.name == 'net.netfilter.nf_conntrack_max')",message="net.nf_conntrack_max and net.netfilter.nf_conntrack_max are the same kernel variable; keep one of them"
	// +kubebuilder:validation:XValidation:rule="[['vm.nr_hugepages', 'vm.nr_hugepages_mempolicy'], ['fs.inotify.max_user_instances', 'user.max_inotify_instances'], ['fs.inotify.max_user_watches', 'user.max_inotify_watches'], ['fs.fanotify.max_user_groups', 'user.max_fanotify_groups'], ['fs.fanotify.max_user_marks', 'user.max_fanotify_marks']].all(names, !names.all(n, self.exists(s, s.name == n)))",message="two of these are names of the same kernel variable; keep one of them"
	Sysctls []Sysctl `json:"sysctls,omitempty"`

	// kernelModules are modules that are loaded now and at every boot, before the
	// sysctls that need them. A module that is built into the kernel counts as loaded.
	// A module is never unloaded, also not when its entry goes away. At most 128.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=128
	KernelModules []KernelModule `json:"kernelModules,omitempty"`

	// swap says what to do with swap: Disabled switches every swap device off, now and
	// at every boot (the kubelet refuses to start with swap unless it is told to allow
	// it). Keep leaves swap alone, and overrules a profile of lower priority that
	// disables it. /etc/fstab is never edited. Absent means not managed.
	// +optional
	Swap SwapPolicy `json:"swap,omitempty"`

	// mounts says what the BPF file system and the propagation of the root mount shall be.
	// Absent means not managed.
	// +optional
	Mounts *Mounts `json:"mounts,omitempty"`

	// directories are directories that shall be there, with their mode and owner. Profiles
	// add to each other: each entry of each profile counts. Of entries for one path that
	// disagree, the one of the higher priority wins. At most 64.
	// +optional
	// +listType=map
	// +listMapKey=path
	// +kubebuilder:validation:MaxItems=64
	Directories []Directory `json:"directories,omitempty"`

	// selinux says what to do on a host on which SELinux is on. Manage keeps the labels of
	// the files of this product as the policy names them, registers the type of programs
	// where the policy would name another, and wants a policy that knows containers: a new
	// host without one is not prepared. Keep asks for nothing and changes nothing in the
	// policy, and overrules a profile of lower priority. Whatever it says, what is written
	// gets the label of its path, and the mode of SELinux is never changed. Absent means
	// not managed.
	// +optional
	SELinux SELinuxPolicy `json:"selinux,omitempty"`

	// firewalld says which interfaces firewalld lets everything in from: those that the
	// CNI makes on the host. Absent means not managed.
	// +optional
	Firewalld *Firewalld `json:"firewalld,omitempty"`

	// nodeIP says which address of a host is that of its node; {} means by the default
	// route. It is chosen once, kept on the host and told to the kubelet through a file.
	// From then on an edit of this section, a new network card or another route does not
	// change it; somebody has to move the node on purpose: bootstrap up --node-ip ADDRESS
	// --move-node-ip. Absent means not managed.
	// +optional
	NodeIP *NodeIP `json:"nodeIP,omitempty"`
}

// HostProfileList is a list of profiles.
//
// +kubebuilder:object:root=true
type HostProfileList struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []HostProfile `json:"items"`
}

// Mode says what to do with a profile. The empty value means Enforce.
// +kubebuilder:validation:Enum=Enforce;Plan
type Mode string

const (
	// ModeEnforce applies the profile.
	ModeEnforce Mode = "Enforce"
	// ModePlan writes nothing, and publishes what would change.
	ModePlan Mode = "Plan"
)

// DriftPolicy says what to do about what others change. The empty value means Repair.
// +kubebuilder:validation:Enum=Repair;Report
type DriftPolicy string

const (
	// DriftRepair sets a changed setting again.
	DriftRepair DriftPolicy = "Repair"
	// DriftReport leaves a changed setting, and shows it.
	DriftReport DriftPolicy = "Report"
)

// Words returns what the field may say.
func (Mode) Words() []string { return []string{string(ModeEnforce), string(ModePlan)} }

// Words returns what the field may say.
func (DriftPolicy) Words() []string { return []string{string(DriftRepair), string(DriftReport)} }

// IsPlan reports whether nothing of the profile may be applied.
func (s *HostProfileSpec) IsPlan() bool { return s.Mode == ModePlan }

// RepairsDrift reports whether a setting that others changed is set again.
func (s *HostProfileSpec) RepairsDrift() bool { return s.DriftPolicy != DriftReport }
