package apitest

// mountsCases are about the BPF file system and the propagation of the root mount.
func mountsCases() []Case {
	mounts := func(section string) string { return document("nodeSelector: {}\nmounts: " + section) }
	return []Case{
		{Name: "mounts", YAML: mounts("{bpffs: Mounted, rootPropagation: Shared}")},
		{Name: "mounts that are kept", YAML: mounts("{bpffs: Keep, rootPropagation: Keep}")},
		{Name: "one of the mounts", YAML: mounts("{rootPropagation: Shared}")},
		{Name: "a mounts section without mounts", YAML: mounts("{}")},
		{Name: "an unknown word for the BPF file system", YAML: mounts("{bpffs: Shared}"),
			RefusedBy: Everybody, Field: "spec.mounts.bpffs", Message: "must be Keep or Mounted"},
		{Name: "an unknown word for the root mount", YAML: mounts("{rootPropagation: Private}"),
			RefusedBy: Everybody, Field: "spec.mounts.rootPropagation", Message: "must be Keep or Shared"},
		{Name: "a word for the root mount in lower case", YAML: mounts("{rootPropagation: shared}"),
			RefusedBy: Everybody, Field: "spec.mounts.rootPropagation", Message: "must be Keep or Shared"},
		{Name: "bpffs: on", YAML: mounts("{bpffs: on}"),
			RefusedBy: Everybody, Field: "spec.mounts.bpffs", Message: "on is a boolean in YAML; write Keep or Mounted"},
		{Name: "another mount", YAML: mounts("{cgroup: Mounted}"),
			RefusedBy: Everybody, Field: "spec.mounts.cgroup", Message: "no such field"},
		{Name: "mounts that are a list", YAML: mounts("[bpffs]"), RefusedBy: Everybody, Field: "spec.mounts", Message: "must be"},
	}
}
