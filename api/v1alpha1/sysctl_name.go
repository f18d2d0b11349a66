package v1alpha1

import (
	"fmt"
	"slices"
	"strings"
)

// MaxSysctlName is the length in bytes that a sysctl name may have.
const MaxSysctlName = 128

// The least and the largest number of elements of a sysctl name.
const (
	minElements = 2
	maxElements = 8
)

// SysctlName is a sysctl name taken apart.
//
// +kubebuilder:object:generate=false
type SysctlName struct {
	// Elements are the directories and the file below /proc/sys, in order. A dot inside
	// the name of an interface is a dot here.
	Elements []string
	// Interface is the index in Elements of the network interface, or -1.
	Interface int
}

// ParseSysctlName takes a name apart the way a profile writes it: dots separate the
// elements, and a slash inside the interface element stands for a dot of the interface's
// own name. So net.ipv4.conf.eth0/100.rp_filter is
// /proc/sys/net/ipv4/conf/eth0.100/rp_filter.
//
// The interface element, and no other, may be a pattern with * and ?. A name that is not
// valid gives an error that MessageAndHint understands. Whether a valid name is one that
// profiles may set is the business of Validate.
func ParseSysctlName(name string) (SysctlName, error) {
	if problem := wholeNameProblem(name); problem != "" {
		return SysctlName{}, nameError(problem)
	}
	elements := strings.Split(name, ".")
	parsed := SysctlName{Elements: elements, Interface: interfaceIndex(elements)}
	if len(elements) < minElements || len(elements) > maxElements {
		return SysctlName{}, nameError(fmt.Sprintf("a sysctl name has %d to %d elements separated by dots, not %d",
			minElements, maxElements, len(elements)))
	}
	if parsed.Interface == len(elements)-1 {
		return SysctlName{}, nameError("the name ends with an interface and no setting; write for example " + name + ".rp_filter")
	}
	for i, element := range elements {
		problem := elementProblem(element)
		if i == parsed.Interface {
			elements[i] = strings.ReplaceAll(element, "/", ".")
			problem = interfaceProblem(elements[i])
		}
		if problem != "" {
			return SysctlName{}, nameError(problem)
		}
	}
	return parsed, nil
}

// String returns the name as a profile writes it.
func (n SysctlName) String() string {
	elements := slices.Clone(n.Elements)
	if n.Interface >= 0 {
		elements[n.Interface] = strings.ReplaceAll(elements[n.Interface], ".", "/")
	}
	return strings.Join(elements, ".")
}

// Path returns the file of the setting, relative to /proc/sys. It never leads out of it.
func (n SysctlName) Path() string { return strings.Join(n.Elements, "/") }

// IsPattern tells whether the name stands for several interfaces.
func (n SysctlName) IsPattern() bool {
	return n.Interface >= 0 && IsInterfacePattern(n.Elements[n.Interface])
}

// Canonical returns the name under which the kernel variable is known when it has two:
// net.ipv4.conf.all.forwarding is net.ipv4.ip_forward. Every other name is unchanged.
func (n SysctlName) Canonical() SysctlName {
	text := n.String()
	for _, alias := range aliases {
		if text == alias.other {
			return SysctlName{Elements: strings.Split(alias.name, "."), Interface: -1}
		}
	}
	return n
}

// alias is a second name of one kernel variable.
type alias struct{ other, name string }

var aliases = []alias{
	{other: "net.ipv4.conf.all.forwarding", name: "net.ipv4.ip_forward"},
	{other: "net.nf_conntrack_max", name: "net.netfilter.nf_conntrack_max"},
	{other: "vm.nr_hugepages_mempolicy", name: "vm.nr_hugepages"},
	{other: "user.max_inotify_instances", name: "fs.inotify.max_user_instances"},
	{other: "user.max_inotify_watches", name: "fs.inotify.max_user_watches"},
	{other: "user.max_fanotify_groups", name: "fs.fanotify.max_user_groups"},
	{other: "user.max_fanotify_marks", name: "fs.fanotify.max_user_marks"},
}

// interfaceAt is the index of the interface in the names that have one.
const interfaceAt = 3

// interfaceIndex returns where a name holds an interface, or -1.
func interfaceIndex(elements []string) int {
	if len(elements) <= interfaceAt {
		return -1
	}
	switch strings.Join(elements[:interfaceAt], ".") {
	case "net.ipv4.conf", "net.ipv4.neigh", "net.ipv6.conf", "net.ipv6.neigh", "net.mpls.conf":
		return interfaceAt
	}
	return -1
}

// nameError is what ParseSysctlName returns; its text is a message and a hint.
type nameError string

func (e nameError) Error() string { return string(e) }
