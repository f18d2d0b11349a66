package disk

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// outsideVariable has the mount namespace of the machine itself.
const outsideVariable = "HOSTPROFILE_FAULTS_OUTSIDE"

// NoteOutside remembers the mount namespace of the caller as the one in which nothing may
// be cut off. A test calls it before it goes into its sandbox.
func NoteOutside() error {
	ns, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil || os.Getenv(outsideVariable) != "" {
		return err
	}
	return os.Setenv(outsideVariable, ns)
}

// guard proves that a handle is on this disk and on nothing else.
func (d *Disk) guard(fd int) error {
	if err := Private(); err != nil {
		return err
	}
	if d.loop == nil {
		return errors.New("it is not mounted")
	}
	var here, root, device, image unix.Stat_t
	if err := errors.Join(unix.Fstat(fd, &here), unix.Stat("/", &root), unix.Fstat(int(d.loop.Fd()), &device), unix.Stat(d.image, &image)); err != nil {
		return err
	}
	if here.Dev == root.Dev {
		return errors.New("it is the root file system")
	}
	if here.Dev != device.Rdev {
		return fmt.Errorf("it is not on %s", d.loop.Name())
	}
	info, err := unix.IoctlLoopGetStatus64(int(d.loop.Fd()))
	if err != nil {
		return fmt.Errorf("%s is no loop device: %w", d.loop.Name(), err)
	}
	if info.Inode != image.Ino {
		return fmt.Errorf("%s is not on %s", d.loop.Name(), d.image)
	}
	return nil
}

// Private proves that the caller has a mount namespace of its own.
func Private() error {
	outside := os.Getenv(outsideVariable)
	ns, err := os.Readlink("/proc/self/ns/mnt")
	if err != nil {
		return err
	}
	if outside == "" || outside == ns {
		return errors.New("this is not a mount namespace of the test's own")
	}
	return nil
}
