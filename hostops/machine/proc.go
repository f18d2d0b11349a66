package machine

// Proc reads the kernel's text interfaces and writes sysctls.
type Proc interface {
	// ReadProc returns the content of a file below /proc or /sys, such as
	// "/proc/swaps". It is never used for /proc/sys.
	ReadProc(path string) ([]byte, error)
	// ReadSysctl returns the value of a sysctl as the kernel prints it, without the
	// final newline. path is relative to /proc/sys, elements separated by slashes:
	// "net/ipv4/conf/eth0.100/rp_filter". A missing key is fs.ErrNotExist; one that
	// cannot be read (write-only, or no rights) is fs.ErrPermission. A file that is
	// not on procfs, such as one bind-mounted over the key, is ErrNotProcfs.
	ReadSysctl(path string) (string, error)
	// WriteSysctl writes value and a newline in one write. A refused value matches
	// ErrInvalid; one with more numbers than the key has does too, though the kernel
	// takes the first of them. A read-only /proc/sys matches ErrReadOnly. It does not
	// read back.
	WriteSysctl(path, value string) error
	// ReadSysctls is ReadSysctl of each path, in their order. The values are not all of one
	// moment.
	ReadSysctls(paths []string) []SysctlText
	// WriteSysctls is WriteSysctl of each, and returns their errors in the same order. It
	// writes in any order.
	WriteSysctls(writes []SysctlWrite) []error
	// ListSysctl returns the names in a directory of /proc/sys, sorted: the
	// interfaces that exist, for "net/ipv4/conf".
	ListSysctl(path string) ([]string, error)
}

// SysctlText is what ReadSysctl returns.
type SysctlText struct {
	Text string
	Err  error
}

// SysctlWrite is what WriteSysctl takes.
type SysctlWrite struct{ Path, Text string }

// MaxSysctl bounds the value that WriteSysctl takes, in bytes: with its newline
// it must fit into less than a page, or the kernel takes a part of it.
const MaxSysctl = 4094

// ReadEach is ReadSysctls for a machine that reads one after the other.
func ReadEach(p Proc, paths []string) []SysctlText {
	out := make([]SysctlText, len(paths))
	for i, path := range paths {
		out[i].Text, out[i].Err = p.ReadSysctl(path)
	}
	return out
}

// WriteEach is WriteSysctls for a machine that writes one after the other.
func WriteEach(p Proc, writes []SysctlWrite) []error {
	out := make([]error, len(writes))
	for i, w := range writes {
		out[i] = p.WriteSysctl(w.Path, w.Text)
	}
	return out
}
