package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/disk"
)

// Recorder is a disk that remembers what it is told. It is used by one goroutine.
type Recorder struct {
	folder string // that is served
	log    string
	base   Image
	cmd    *exec.Cmd
	stdin  io.WriteCloser
}

// Missing says why this machine cannot record a disk, nil if it can.
func Missing() error {
	f, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("needs FUSE: %w", err)
	}
	return errors.Join(f.Close(), disk.Missing())
}

// Start makes an empty disk that records, with all that it needs in the folder scratch,
// which is made. The caller is in a mount namespace of its own, and stops it.
func Start(scratch string) (*Recorder, error) {
	if err := disk.Private(); err != nil {
		return nil, err
	}
	r := &Recorder{folder: filepath.Join(scratch, "served"), log: filepath.Join(scratch, "log")}
	if err := os.MkdirAll(r.folder, 0o700); err != nil {
		return nil, err
	}
	image := filepath.Join(scratch, "image")
	if err := disk.Format(image); err != nil {
		return nil, err
	}
	var err error
	if r.base, err = ReadImage(image); err != nil {
		return nil, err
	}
	return r, r.serve(image)
}

// serve starts the process that serves the disk, in a mount namespace of its own, out of
// which only the served folder is seen. If it is killed, it must not be the last one to have
// what is mounted on its disk: the kernel would wait for it to serve while it ends.
func (r *Recorder) serve(image string) error {
	err := errors.Join(unix.Mount(r.folder, r.folder, "", unix.MS_BIND, ""), unix.Mount("", r.folder, "", unix.MS_SHARED, ""))
	if err != nil {
		return fmt.Errorf("share %s: %w", r.folder, err)
	}
	r.cmd = exec.Command("/proc/self/exe", becomeArgument, r.folder, image, r.log)
	r.cmd.Stderr = os.Stderr
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: unix.SIGKILL, Cloneflags: unix.CLONE_NEWNS}
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		return err
	}
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := r.cmd.Start(); err != nil {
		return err
	}
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		return fmt.Errorf("the recorder did not come up: %w", errors.Join(err, r.cmd.Wait()))
	}
	return nil
}

// Image is the file that a loop device can be over.
func (r *Recorder) Image() string { return filepath.Join(r.folder, deviceName) }

// Entries returns how many entries the log has now.
func (r *Recorder) Entries() (int, error) {
	entries, err := readEntries(r.log)
	return len(entries), err
}

// Stop ends the recording. Nobody uses the disk any more.
func (r *Recorder) Stop() (*Log, error) {
	served := unix.Unmount(r.folder, unix.MNT_DETACH)
	err := errors.Join(served, r.stdin.Close(), r.cmd.Wait(), unix.Unmount(r.folder, unix.MNT_DETACH))
	if err != nil {
		return nil, fmt.Errorf("stop the recorder: %w", err)
	}
	entries, err := readEntries(r.log)
	return &Log{Base: r.base, Entries: entries}, err
}
