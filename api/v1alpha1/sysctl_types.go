package v1alpha1

// Sysctl is one kernel setting below /proc/sys.
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
