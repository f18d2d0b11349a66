package v1alpha1

// Firewalld says which interfaces firewalld trusts. It is for the interfaces that a CNI
// makes on the host, so that packets of pods are let through.
//
// Interfaces are bound in the running firewalld and in its files, and firewalld is never
// reloaded. One that is bound to another zone already is left there. On a host without
// firewalld, or with one that is stopped or masked, there is nothing to bind to; that is
// no failure, and nothing is started.
type Firewalld struct {
	// trustedInterfaces are bound to the zone trusted, which lets everything in. A
	// trailing + is a wildcard, and so is a trailing *: lxc+ stands for every interface
	// whose name begins with lxc. Addresses are refused: whoever can write a packet can
	// write any source into it. So is, on the host, the interface of the default route.
	// At most 64.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	TrustedInterfaces []InterfaceName `json:"trustedInterfaces,omitempty"`
	// untrustedInterfaces are bound to the default zone of the host, because a wildcard
	// of trustedInterfaces means them too and they are not the CNI's: lxcbr0 is no
	// interface of a pod. A name here wins over the same name in trustedInterfaces,
	// whatever the priority of the profiles. At most 64.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	UntrustedInterfaces []InterfaceName `json:"untrustedInterfaces,omitempty"`
}

// InterfaceName is the name of a network interface, or the beginning of one and a + or *.
//
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=15
// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z0-9_.:@-]+[+*]?$') && !self.matches(':.*:')",message="an interface is named by letters, digits, and . _ : @ -, with + or * at the end for a wildcard"
// +kubebuilder:validation:XValidation:rule="!isIP(self) && !self.matches(':.*:')",message="is an address, and whoever can write a packet can write it as its source; name the interface that the packets come from"
// +kubebuilder:validation:XValidation:rule="!(self in ['lo', 'lo+', 'lo*', 'l+', 'l*', '.', '..'])",message="lo is the host's own, and is always let through; name the interfaces of the CNI"
type InterfaceName string

// MaxInterfaces is how many interfaces each list of a profile may have.
const MaxInterfaces = 64

// FirewalldFacts is what a host has of firewalld.
type FirewalldFacts struct {
	// state is Running, NotRunning, Masked or NotInstalled.
	// +optional
	// +kubebuilder:validation:MaxLength=16
	State string `json:"state,omitempty"`

	// version is known while it runs.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Version string `json:"version,omitempty"`

	// backend is nftables or iptables, as its configuration says.
	// +optional
	// +kubebuilder:validation:MaxLength=16
	Backend string `json:"backend,omitempty"`

	// reloadsSeen is how often somebody reloaded or restarted it since the agent started.
	// The agent never does.
	// +optional
	ReloadsSeen int32 `json:"reloadsSeen,omitempty"`
}
