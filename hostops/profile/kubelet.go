package profile

// KubeletSysctl is a setting that the kubelet checks at its start. With
// protectKernelDefaults it refuses to start when one differs; without, it sets it itself.
type KubeletSysctl struct {
	// Name is the dotted name.
	Name string
	// Value is the only one that the kubelet accepts; larger is not enough.
	Value string
	// Since is the first Kubernetes version whose kubelet checks it.
	Since string
	// Until is the last one, and empty while the check is in force.
	Until string
}

// KubeletSysctls returns every setting that protectKernelDefaults is about. The source is
// setupKernelTunables in pkg/kubelet/cm/container_manager_linux.go of Kubernetes; the two
// key rings came after 1.2, all others with the check itself.
func KubeletSysctls() []KubeletSysctl {
	return []KubeletSysctl{
		{Name: "vm.overcommit_memory", Value: "1", Since: "1.2"},
		{Name: "vm.panic_on_oom", Value: "0", Since: "1.2"},
		{Name: "kernel.panic", Value: "10", Since: "1.2"},
		{Name: "kernel.panic_on_oops", Value: "1", Since: "1.2"},
		{Name: "kernel.keys.root_maxkeys", Value: "1000000", Since: "1.3"},
		{Name: "kernel.keys.root_maxbytes", Value: "25000000", Since: "1.3"},
	}
}
