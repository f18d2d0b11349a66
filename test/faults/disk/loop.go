package disk

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Attach gives an image a loop device that is freed with its last user, as when the test
// is killed. Where the image's file system can, what is written passes no cache on its way.
func Attach(image string) (*os.File, error) {
	file, err := os.OpenFile(image, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	for {
		loop, err := free()
		if err != nil {
			return nil, err
		}
		config := unix.LoopConfig{Fd: uint32(file.Fd()), Info: unix.LoopInfo64{Flags: unix.LO_FLAGS_AUTOCLEAR | unix.LO_FLAGS_DIRECT_IO}}
		if err = unix.IoctlLoopConfigure(int(loop.Fd()), &config); err == nil {
			return loop, nil
		}
		if err = errors.Join(err, loop.Close()); !errors.Is(err, unix.EBUSY) { // somebody was faster
			return nil, err
		}
	}
}

// free opens a loop device that nobody uses.
func free() (*os.File, error) {
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = control.Close() }()
	n, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
	if err != nil {
		return nil, err
	}
	return os.OpenFile(fmt.Sprintf("/dev/loop%d", n), os.O_RDWR, 0)
}

// Missing says why this machine cannot give a test such a disk, nil if it can.
func Missing() error {
	loop, err := free()
	if err != nil {
		return fmt.Errorf("needs loop devices: %w", err)
	}
	return loop.Close()
}
