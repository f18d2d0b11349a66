package item

import "strings"

// Kind is the first element of a Key: it names the operation that serves the item.
type Kind string

// The kinds of items. A kind that is not listed here may still stand in a ledger
// written by a newer version: its entries are kept as they are.
const (
	Sysctl Kind = "sysctl"
	Module Kind = "kmod"
	File   Kind = "file"
	Dir    Kind = "dir"
	Swap   Kind = "swap"
	NodeIP Kind = "nodeip"
	Mount  Kind = "mount"
	// SELinux is its policy, the labels of our files and the types of folders.
	SELinux Kind = "selinux"
	// Firewalld are interfaces in zones of firewalld, at run time and in its files.
	Firewalld Kind = "firewalld"
	// Unit is that boots start a unit of systemd.
	Unit Kind = "unit"
	// Program is an installed copy of a program, by path.
	Program Kind = "program"
)

// Key names one setting of a host: "sysctl/net.ipv4.ip_forward", "kmod/overlay",
// "file/etc/modules-load.d/hostprofile.conf", "swap/dev/sda2".
type Key string

// NewKey joins a kind and a name. A leading slash of the name is dropped, so that
// a path can be given as it is.
func NewKey(kind Kind, name string) Key {
	return Key(string(kind) + "/" + strings.TrimPrefix(name, "/"))
}

// Kind returns the part before the first slash.
func (k Key) Kind() Kind {
	kind, _, _ := strings.Cut(string(k), "/")
	return Kind(kind)
}

// Name returns the part after the first slash.
func (k Key) Name() string {
	_, name, _ := strings.Cut(string(k), "/")
	return name
}

// Path returns the name as an absolute path, for kinds whose names are paths.
func (k Key) Path() string { return "/" + k.Name() }
