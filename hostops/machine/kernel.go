package machine

import "context"

// Kernel does what needs a system call or a program of the host.
type Kernel interface {
	// LoadModule loads a module and its dependencies as the host does at boot. A
	// module that this kernel does not have is fs.ErrNotExist; one that modprobe.d
	// forbids, by an "install" rule or by "blacklist", is ErrForbidden. A module that
	// is loaded or built in is no error. A host without modprobe is
	// errors.ErrUnsupported.
	LoadModule(ctx context.Context, name string) error
	// SwapOff takes a device or file out of use. It returns when the kernel has
	// moved all pages back, which can take minutes; ctx bounds the wait.
	// A device that is not in use matches ErrInvalid.
	SwapOff(ctx context.Context, path string) error
	// SwapOn takes a device or file into use again with the priority given;
	// a negative priority lets the kernel choose.
	SwapOn(path string, priority int) error
}
