package machine

import "context"

// SELinux shows the labels of files and changes them: of one file or folder at a time,
// never of what is in it. Where SELinux is off nothing has a label, and Relabel does
// nothing.
type SELinux interface {
	// SELinuxMode says whether SELinux is on.
	SELinuxMode() (SELinuxMode, error)
	// HasType reports whether the policy that is loaded has a type, such as "bin_t".
	HasType(name string) (bool, error)
	// TypeFor returns the type that the policy and the admin name for a file or folder at
	// a path, empty if they name none. Nothing need be there.
	TypeFor(path string, folder bool) (string, error)
	// Label returns the label that a file or folder has, and the one that it should have:
	// the same with the type that TypeFor names. User, role and range stay what they are,
	// and so does a type that the policy lets the admin choose. Want is have if no type is
	// named.
	Label(path string) (have, want string, err error)
	// Relabel gives a file or folder the label that Label wants.
	Relabel(path string) error
	// FileContext returns the type that the admin named for an expression of paths, empty
	// if none: what `semanage fcontext` added for all kinds of files.
	FileContext(regex string) (string, error)
	// SetFileContext names a type for an expression of paths, and takes the expression
	// back if the type is empty. It changes no file's label. A host without semanage is
	// errors.ErrUnsupported.
	SetFileContext(ctx context.Context, regex, typ string) error
}

// SELinuxMode says whether SELinux is on.
type SELinuxMode string

// The modes of SELinux. Where it is off, the kernel has none, or no policy.
const (
	SELinuxOff        SELinuxMode = "off"
	SELinuxPermissive SELinuxMode = "permissive"
	SELinuxEnforcing  SELinuxMode = "enforcing"
)
