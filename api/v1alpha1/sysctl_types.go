package v1alpha1

// The rules below say again what Validate refuses, as far as a schema can; the table of
// package apitest keeps the two together.

// Sysctl is one kernel setting below /proc/sys.
//
// +kubebuilder:validation:XValidation:rule="has(self.value) || (has(self.unmanaged) && self.unmanaged)",message="a sysctl needs a value; write value, or unmanaged: true to leave the setting to somebody else",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.unmanaged) || !self.unmanaged || !has(self.value)",message="excludes unmanaged: true; remove one of the two",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.unmanaged) || !self.unmanaged || !has(self.compare)",message="excludes unmanaged: true; remove one of the two",fieldPath=".compare"
// +kubebuilder:validation:XValidation:rule="!has(self.unmanaged) || !self.unmanaged || !has(self.ifMissing)",message="excludes unmanaged: true; remove one of the two",fieldPath=".ifMissing"
// +kubebuilder:validation:XValidation:rule="!has(self.compare) || self.compare == 'Exact' || !has(self.value) || string(self.value).matches('^(0|-?[1-9][0-9]*|0[xX][0-9a-fA-F]+)$')",message="needs one integer to compare with; write Exact, or an integer as value",fieldPath=".compare"
// +kubebuilder:validation:XValidation:rule="!has(self.value) || !(self.name in ['kernel.kptr_restrict', 'kernel.dmesg_restrict', 'net.core.bpf_jit_harden'] || self.name.startsWith('fs.protected_')) || string(self.value).matches('^[1-9][0-9]*$')",message="lowers the isolation of the host; write 1 or more",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.value) || !(self.name in ['kernel.randomize_va_space', 'kernel.perf_event_paranoid']) || string(self.value).matches('^([2-9]|[1-9][0-9]+)$')",message="lowers the isolation of the host; write 2 or more",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.value) || self.name != 'vm.mmap_min_addr' || (string(self.value).matches('^[0-9]{5,18}$') && int(string(self.value)) >= 65536)",message="lowers the isolation of the host; write 65536 or more",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.value) || !(self.name == 'fs.suid_dumpable' || self.name.matches('^net[.](.+[.]conf[.][^.]+[.]accept_source_route|ipv4[.]conf[.][^.]+[.]route_localnet)$')) || string(self.value).matches('^(0|-[1-9][0-9]*)$')",message="lowers the isolation of the host; write 0 or less",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.value) || self.name != 'kernel.sysrq' || string(self.value) in ['0', '16', '32', '48', '128', '144', '160', '176']",message="lowers the isolation of the host; write 0, or a sum of 16 (sync), 32 (remount read-only) and 128 (reboot)",fieldPath=".value"
// +kubebuilder:validation:XValidation:rule="!has(self.compare) || self.compare != 'AtMost' || !(self.name in ['kernel.kptr_restrict', 'kernel.dmesg_restrict', 'kernel.randomize_va_space', 'kernel.perf_event_paranoid', 'kernel.sysrq', 'vm.mmap_min_addr', 'net.core.bpf_jit_harden'] || self.name.startsWith('fs.protected_'))",message="AtMost lowers the isolation of a host that is stricter already; write Exact",fieldPath=".compare"
// +kubebuilder:validation:XValidation:rule="!has(self.compare) || self.compare != 'AtLeast' || !(self.name in ['kernel.sysrq', 'fs.suid_dumpable'] || self.name.matches('^net[.](.+[.]conf[.][^.]+[.]accept_source_route|ipv4[.]conf[.][^.]+[.]route_localnet)$'))",message="AtLeast lowers the isolation of a host that is stricter already; write Exact",fieldPath=".compare"
type Sysctl struct {
	// name is the setting in the dotted form that "sysctl -a" prints, for example
	// net.ipv4.ip_forward. A dot inside the name of a network interface is written as a
	// slash: net.ipv4.conf.eth0/100.rp_filter is rp_filter of the interface eth0.100.
	// The interface element, and only that, may be a pattern with * or ?, which also
	// covers interfaces that appear later: net.ipv4.conf.lxc*.rp_filter. A pattern must
	// not match all, default or lo. A named interface wins over every pattern.
	// Settings that run programs, cannot be taken back, change the identity of the host
	// or are actions and not settings (kernel.core_pattern, kernel.modules_disabled,
	// kernel.hostname, vm.drop_caches and the like) are refused.
	// +required
	// +kubebuilder:validation:MinLength=3
	// +kubebuilder:validation:MaxLength=128
	// +kubebuilder:validation:XValidation:rule="self.matches('^net[.](ipv[46][.](conf|neigh)|mpls[.]conf)[.]') ? self.matches('^net[.][a-z0-9]+[.][a-z]+[.]([*]?[A-Za-z0-9_/:@?-]){1,15}[*]?([.][a-z0-9_-]+){1,4}$') : self.matches('^[a-z0-9_][a-z0-9_-]*([.][a-z0-9_-]+){1,7}$')",message="a sysctl name has 2 to 8 elements of a-z, 0-9, _ and -, separated by dots (net.ipv4.ip_forward, not net/ipv4/ip_forward); only the element of an interface may hold a slash (for a dot of the interface), other letters or a pattern, and has at most 15 characters"
	// +kubebuilder:validation:XValidation:rule="!self.contains('./.') && !self.contains('.//.')",message="no interface is called . or .."
	// +kubebuilder:validation:XValidation:rule="!self.matches('^net[.][a-z0-9]+[.][a-z]+[.][^.]*[*?][^.]*[.]') || ['^' + self.split('.')[3].replace('*', '.*').replace('?', '.') + '$'].all(r, r.matches('[A-Za-z0-9_/:@-]') && !'all'.matches(r) && !'default'.matches(r) && !'lo'.matches(r))",message="a pattern has at least one literal character and matches none of all, default and lo"
	// +kubebuilder:validation:XValidation:rule="!(self in ['kernel.core_pattern', 'kernel.modprobe', 'kernel.hotplug', 'kernel.poweroff_cmd', 'kernel.modules_disabled', 'kernel.kexec_load_disabled', 'kernel.hostname', 'kernel.domainname', 'kernel.ns_last_pid', 'kernel.cad_pid', 'vm.drop_caches', 'vm.compact_memory', 'vm.stat_refresh']) && !self.startsWith('kernel.usermodehelper.') && !self.startsWith('fs.binfmt_misc.') && !self.matches('^net[.][a-z0-9_-]+[.]route[.]flush$')",message="runs programs, cannot be taken back, belongs to the identity of the host or is an action and not a setting; leave it out of the profile"
	Name string `json:"name"`

	// value is what the setting should hold: an integer, or text. Quote integers above
	// 9223372036854775807 and everything that is not a plain decimal number or word: YAML
	// reads 010 as 8, 0x10 as 16 and off as a boolean. Settings of several numbers take
	// them separated by blanks: "4096 87380 6291456". Required unless unmanaged is true.
	// +optional
	Value *Value `json:"value,omitempty"`

	// compare says when the setting counts as right: Exact (the default) when it equals
	// value; AtLeast when it is value or larger, so that a higher setting of the host
	// stays; AtMost when it is value or smaller. AtLeast and AtMost need an integer.
	// +optional
	Compare Compare `json:"compare,omitempty"`

	// ifMissing says what a kernel without this setting means: Fail (the default) makes
	// it a failure of the node; Skip passes over it. It is only about "no such setting":
	// a value that the kernel refuses is a failure with either.
	// +optional
	IfMissing IfMissing `json:"ifMissing,omitempty"`

	// unmanaged, when true, leaves this setting to somebody else: a profile of lower
	// priority no longer sets it, and a value that came from a profile is given back.
	// It excludes value, compare and ifMissing.
	// +optional
	Unmanaged bool `json:"unmanaged,omitempty"`
}

// KernelModule is one module of the running kernel.
type KernelModule struct {
	// name is the module as modprobe takes it, without path, ending or parameters, for
	// example br_netfilter. Dash and underscore are the same letter to the kernel.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=55
	// +kubebuilder:validation:Pattern=`^[A-Za-z0-9_][A-Za-z0-9_-]*$`
	Name string `json:"name"`

	// ifMissing says what a kernel that has no such module means: Fail (the default)
	// makes it a failure of the node; Skip passes over it. A module that is there and
	// cannot be loaded is a failure with either.
	// +optional
	IfMissing IfMissing `json:"ifMissing,omitempty"`
}

// Compare says when a sysctl counts as right. The empty value means Exact.
// +kubebuilder:validation:Enum=Exact;AtLeast;AtMost
type Compare string

const (
	// Exact wants the value itself.
	Exact Compare = "Exact"
	// AtLeast wants the value or a larger one; a larger one is left alone.
	AtLeast Compare = "AtLeast"
	// AtMost wants the value or a smaller one; a smaller one is left alone.
	AtMost Compare = "AtMost"
)

// IfMissing says what it means that the kernel lacks a setting or a module. The empty
// value means Fail.
// +kubebuilder:validation:Enum=Fail;Skip
type IfMissing string

const (
	// Fail makes a missing setting or module a failure of the node.
	Fail IfMissing = "Fail"
	// Skip passes over a missing setting or module.
	Skip IfMissing = "Skip"
)

// SwapPolicy says what to do with swap. The empty value means that swap is not managed.
// None of its words is one that YAML reads as a boolean.
// +kubebuilder:validation:Enum=Keep;Disabled
type SwapPolicy string

const (
	// SwapKeep leaves swap as it is, and says so.
	SwapKeep SwapPolicy = "Keep"
	// SwapDisabled switches every swap device off, now and at every boot.
	SwapDisabled SwapPolicy = "Disabled"
)

// Words returns what the field may say.
func (Compare) Words() []string { return []string{string(Exact), string(AtLeast), string(AtMost)} }

// Words returns what the field may say.
func (IfMissing) Words() []string { return []string{string(Fail), string(Skip)} }

// Words returns what the field may say.
func (SwapPolicy) Words() []string { return []string{string(SwapKeep), string(SwapDisabled)} }
