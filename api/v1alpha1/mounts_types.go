package v1alpha1

// Mounts says what container runtimes and Cilium may expect of a host's mounts. Most
// inits see to both at boot, and then there is nothing to do. Whatever else is mounted is
// left alone, and what was done is not undone: it goes with the next boot. A mount that
// cannot be made is told, and does not keep the node from being ready.
type Mounts struct {
	// bpffs says what to do with the BPF file system on /sys/fs/bpf. Mounted mounts it,
	// shared, where nothing is mounted yet, and makes one that is there shared; another
	// file system there is told and left. Keep leaves it alone, and overrules a profile
	// of lower priority. Absent means not managed.
	// +optional
	BPFFS BPFFSPolicy `json:"bpffs,omitempty"`

	// rootPropagation says what to do with the propagation of the mount of /. Shared makes
	// it shared, with all mounts below it, where it is private; one that is shared or a
	// slave is left as it is. Keep leaves it alone, and overrules a profile of lower
	// priority. Absent means not managed.
	// +optional
	RootPropagation RootPropagation `json:"rootPropagation,omitempty"`
}

// BPFFSPolicy says what to do with the BPF file system. The empty value means that it is
// not managed.
// +kubebuilder:validation:Enum=Keep;Mounted
type BPFFSPolicy string

const (
	// BPFFSKeep leaves what is there.
	BPFFSKeep BPFFSPolicy = "Keep"
	// BPFFSMounted mounts it where it is missing.
	BPFFSMounted BPFFSPolicy = "Mounted"
)

// RootPropagation says what to do with the propagation of the root mount. The empty value
// means that it is not managed.
// +kubebuilder:validation:Enum=Keep;Shared
type RootPropagation string

const (
	// RootPropagationKeep leaves it as it is.
	RootPropagationKeep RootPropagation = "Keep"
	// RootPropagationShared makes a private root mount shared.
	RootPropagationShared RootPropagation = "Shared"
)

// Words returns what the field may say.
func (BPFFSPolicy) Words() []string { return []string{string(BPFFSKeep), string(BPFFSMounted)} }

// Words returns what the field may say.
func (RootPropagation) Words() []string {
	return []string{string(RootPropagationKeep), string(RootPropagationShared)}
}

// IsManaged reports whether anything is wished of the mounts.
func (m *Mounts) IsManaged() bool {
	return m != nil && (m.BPFFS == BPFFSMounted || m.RootPropagation == RootPropagationShared)
}
