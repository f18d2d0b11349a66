package v1alpha1

// How much a nodeIP section may hold.
const (
	MaxNodeIPSubnets   = 16
	MaxNodeIPExcluded  = 64
	MaxNodeIPWait      = 600 // seconds
	DefaultNodeIPWait  = 30
	maxNetworkLength   = 49 // the longest IPv6 network as text
	maxAddressesLength = 64
)

// NodeIP says which address of a host is that of its node.
//
// +kubebuilder:validation:XValidation:rule="!has(self.address) || self.address.contains(',') == (has(self.ipFamilies) && size(self.ipFamilies) == 2)",fieldPath=".address",message="address has one address for each family: the IPv4 address, or v4,v6 if ipFamilies is [IPv4, IPv6]"
type NodeIP struct {
	// ipFamilies are the families of the cluster: [IPv4], which is also meant when it is
	// absent, or [IPv4, IPv6]. IPv4 is the primary family. With both, the node gets an
	// address of each or none. IPv6 is never added because a host happens to have it.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:validation:XValidation:rule="self[0] == 'IPv4'",message="ipFamilies is [IPv4] or [IPv4, IPv6]: the primary family is IPv4"
	IPFamilies []IPFamily `json:"ipFamilies,omitempty"`

	// subnets are the networks that the address must be in, for example 192.0.2.0/24, the
	// same for all nodes. They count before routes do. With both families, name networks
	// of both. Absent means any network. At most 16.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=16
	// +kubebuilder:validation:items:MaxLength=49
	// +kubebuilder:validation:items:XValidation:rule="isCIDR(self) || isIP(self)",message="a subnet is a network such as 192.0.2.0/24"
	Subnets []string `json:"subnets,omitempty"`

	// excludeAddresses are addresses or networks that are never the node's, such as
	// virtual addresses that move between hosts. At most 64.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=64
	// +kubebuilder:validation:items:MaxLength=49
	// +kubebuilder:validation:items:XValidation:rule="isCIDR(self) || isIP(self)",message="an excluded address is an address such as 192.0.2.2, or a network"
	ExcludeAddresses []string `json:"excludeAddresses,omitempty"`

	// address is the address itself, taken as it is: "192.0.2.10", or with both families
	// "192.0.2.10,2001:db8::10". In a cluster it needs a nodeSelector on the label
	// kubernetes.io/hostname, because no two nodes have one address.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=64
	// +kubebuilder:validation:XValidation:rule="self.split(',').all(a, isIP(a) && !['127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '0.0.0.0/32', '255.255.255.255/32', '::1/128', '::/128', 'fe80::/10', 'ff00::/8'].exists(c, cidr(c).containsIP(a)))",message="address is an IP address, and none that is loopback, link-local, multicast, broadcast or all zeros"
	// +kubebuilder:validation:XValidation:rule="!self.split(',').all(a, isIP(a)) || size(self.split(',')) <= 2 && ip(self.split(',')[0]).family() == 4 && (size(self.split(',')) == 1 || ip(self.split(',')[1]).family() == 6)",message="address is the IPv4 address, or v4,v6"
	Address string `json:"address,omitempty"`

	// whenAddressMissing says what to do when an address that somebody named is on no
	// interface after the wait: Fail, which is also meant when it is absent, fails; Start
	// uses it all the same, and leaves it to the kubelet.
	// +optional
	WhenAddressMissing WhenAddressMissing `json:"whenAddressMissing,omitempty"`

	// waitSeconds is how long to wait for an address, at most 600. Absent means 30.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=600
	WaitSeconds *int32 `json:"waitSeconds,omitempty"`

	// publish says how the kubelet learns the address. EnvironmentFile, which is also
	// meant when it is absent, writes NODE_IP to /etc/hostprofile/node.env. Kubeadm adds a
	// drop-in to kubeadm's kubelet.service; a --node-ip of your own still wins. K3s and
	// RKE2 write a file into config.yaml.d. None writes nothing. The kubelet is never
	// restarted: it reads the file at its next start.
	// +optional
	Publish NodeIPPublish `json:"publish,omitempty"`
}

// IPFamily is a family of addresses.
// +kubebuilder:validation:Enum=IPv4;IPv6
type IPFamily string

// The families.
const (
	IPv4 IPFamily = "IPv4"
	IPv6 IPFamily = "IPv6"
)

// WhenAddressMissing says what a named address means that is on no interface. The empty
// value means Fail.
// +kubebuilder:validation:Enum=Fail;Start
type WhenAddressMissing string

const (
	// MissingAddressFails is a failure.
	MissingAddressFails WhenAddressMissing = "Fail"
	// MissingAddressStarts uses the address all the same.
	MissingAddressStarts WhenAddressMissing = "Start"
)

// NodeIPPublish says how the kubelet learns the address. The empty value means
// EnvironmentFile.
// +kubebuilder:validation:Enum=EnvironmentFile;Kubeadm;K3s;RKE2;None
type NodeIPPublish string

const (
	// PublishEnvironmentFile writes /etc/hostprofile/node.env.
	PublishEnvironmentFile NodeIPPublish = "EnvironmentFile"
	// PublishKubeadm adds a drop-in to kubelet.service.
	PublishKubeadm NodeIPPublish = "Kubeadm"
	// PublishK3s writes below /etc/rancher/k3s.
	PublishK3s NodeIPPublish = "K3s"
	// PublishRKE2 writes below /etc/rancher/rke2.
	PublishRKE2 NodeIPPublish = "RKE2"
	// PublishNone writes nothing.
	PublishNone NodeIPPublish = "None"
)

// Words returns what the field may say.
func (IPFamily) Words() []string { return []string{string(IPv4), string(IPv6)} }

// Words returns what the field may say.
func (WhenAddressMissing) Words() []string {
	return []string{string(MissingAddressFails), string(MissingAddressStarts)}
}

// Words returns what the field may say.
func (NodeIPPublish) Words() []string {
	return []string{string(PublishEnvironmentFile), string(PublishKubeadm), string(PublishK3s), string(PublishRKE2), string(PublishNone)}
}

// DualStack reports whether the node gets an IPv6 address, too.
func (n *NodeIP) DualStack() bool { return len(n.IPFamilies) == 2 }

// Wait is how many seconds to wait for an address.
func (n *NodeIP) Wait() int {
	if n.WaitSeconds == nil {
		return DefaultNodeIPWait
	}
	return int(*n.WaitSeconds)
}

// NodeIPReport is the address of a node, as its host keeps it.
type NodeIPReport struct {
	// addresses are the IPv4 address and, on a dual-stack node, the IPv6 address.
	// +optional
	// +listType=set
	// +kubebuilder:validation:MaxItems=2
	// +kubebuilder:validation:items:MaxLength=45
	Addresses []string `json:"addresses,omitempty"`

	// interface has the first address. It is empty when none has.
	// +optional
	// +kubebuilder:validation:MaxLength=15
	Interface string `json:"interface,omitempty"`

	// source is where the address came from when it was chosen: Flag, Adopted, Profile,
	// Environment or Detected.
	// +optional
	// +kubebuilder:validation:MaxLength=32
	Source string `json:"source,omitempty"`

	// candidates are the other addresses of the host, and why they are not the node's. At
	// most 16.
	// +optional
	// +listType=map
	// +listMapKey=address
	// +kubebuilder:validation:MaxItems=16
	Candidates []NodeIPCandidate `json:"candidates,omitempty"`
}

// NodeIPCandidate is an address of the host.
type NodeIPCandidate struct {
	// address is the address without its prefix length.
	// +kubebuilder:validation:MaxLength=45
	Address string `json:"address"`
	// interface has the address.
	// +optional
	// +kubebuilder:validation:MaxLength=15
	Interface string `json:"interface,omitempty"`
	// verdict is what the rules make of it, in one word, for example NoDefaultRoute.
	// +kubebuilder:validation:MaxLength=32
	Verdict string `json:"verdict"`
}
