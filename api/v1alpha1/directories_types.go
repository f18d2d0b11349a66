package v1alpha1

// Directory is a directory that shall be there. One that is missing is made, with those
// above it; one that is there is taken as it is, but for what the entry says. When the
// entry goes, a directory that was made is removed if it is empty, and mode and owner of
// one that was there are as before. Nothing inside a directory is ever touched.
type Directory struct {
	// path is absolute and below one of /etc/cni, /etc/containerd, /etc/containers,
	// /etc/crio, /etc/kubernetes, /etc/rancher, /mnt, /opt, /srv, /var/lib and /var/log.
	// Links on the way are followed if only root can have made them: an admin may have put
	// the directory on another disk.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	// +kubebuilder:validation:XValidation:rule="!self.startsWith('/') || !self.matches('//|/[.]{1,2}(/|$)|.+/$')",message="must be clean, without . or .., double slashes or a slash at the end"
	// +kubebuilder:validation:XValidation:rule="self.startsWith('/') && self.matches('//|/[.]{1,2}(/|$)|.+/$') || self.matches('^/(etc/cni|etc/containerd|etc/containers|etc/crio|etc/kubernetes|etc/rancher|mnt|opt|srv|var/lib|var/log)/')",message="must be below /etc/cni, /etc/containerd, /etc/containers, /etc/crio, /etc/kubernetes, /etc/rancher, /mnt, /opt, /srv, /var/lib or /var/log"
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z0-9/_.:@+=,-]*$')",message="consists of letters, digits, and / _ . : @ + = , -"
	// +kubebuilder:validation:XValidation:rule="!self.matches('^/var/lib/hostprofile(/|$)')",message="is where the record of this program is; name another directory"
	Path string `json:"path"`

	// mode is the permission bits in octal, as a string of four digits: "0755". A directory
	// that everybody may write to is refused. Absent means that any mode will do, and 0755
	// for a directory that is made.
	// +optional
	// +kubebuilder:validation:MaxLength=4
	// +kubebuilder:validation:XValidation:rule="self.matches('^0[0-7]{3}$')",message="must be four octal digits, the first of them 0, such as \"0755\""
	// +kubebuilder:validation:XValidation:rule="!self.matches('^0[0-7]{2}[2367]$')",message="lets everybody write, so that anybody could replace what is in the directory; name an owner instead"
	Mode string `json:"mode,omitempty"`

	// owner is who the directory belongs to. Absent means that anybody will do, and root for
	// a directory that is made.
	// +optional
	Owner *DirectoryOwner `json:"owner,omitempty"`
}

// DirectoryOwner is a user and a group, by their numbers: names mean other numbers on other
// hosts.
type DirectoryOwner struct {
	// uid is the number of the user.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=4294967294
	UID *int64 `json:"uid"`
	// gid is the number of the group.
	// +required
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=4294967294
	GID *int64 `json:"gid"`
}

// DirectoryRoots are where the directories of profiles may be, strictly below: mistakes
// there break what a cluster runs, and not the host itself.
func DirectoryRoots() []string {
	return []string{
		"/etc/cni", "/etc/containerd", "/etc/containers", "/etc/crio", "/etc/kubernetes", "/etc/rancher",
		"/mnt", "/opt", "/srv", "/var/lib", "/var/log",
	}
}
