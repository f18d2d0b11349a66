package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"

	"github.com/hostprofile/hostprofile/test/faults/disk"
)

// becomeArgument tells a process that it is the one that serves a disk.
const becomeArgument = "-become-the-recorder"

// Become is the first thing that the process of a test does: the recorder is this process's
// own executable. In any other process it returns.
func Become() {
	if len(os.Args) != 5 || os.Args[1] != becomeArgument {
		return
	}
	if err := serve(os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "recorder:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// serve shows a folder with one file, the disk, whose content is in the file image, and
// logs what becomes of it. It says so with a line, and ends with its standard input.
func serve(folder, image, log string) error {
	d := &device{}
	var err error
	if d.image, err = os.OpenFile(image, os.O_RDWR, 0); err != nil {
		return err
	}
	if d.log, err = os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return err
	}
	root := &fs.Inode{}
	_, err = fs.Mount(folder, root, &fs.Options{
		OnAdd: func(ctx context.Context) {
			root.AddChild(deviceName, root.NewPersistentInode(ctx, d, fs.StableAttr{Mode: syscall.S_IFREG}), false)
		},
		MountOptions: fuse.MountOptions{FsName: "recorder", Name: "recorder", DirectMountStrict: true, DisableXAttrs: true, MaxWrite: 1 << 20},
	})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// deviceName is the name of the disk in the folder that is served.
const deviceName = "disk"

// device is the disk. What it is told is in the log before it is answered. So what is under
// way while the disk is flushed counts as flushed if it came first, as on a disk that is
// fast: a file system waits for what it wants to be flushed.
type device struct {
	fs.Inode
	mutex      sync.Mutex
	image, log *os.File
}

// Open has the kernel keep nothing back.
func (d *device) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_DIRECT_IO, 0
}

// Getattr tells how large the disk is.
func (d *device) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode, out.Size = syscall.S_IFREG|0o600, disk.Size
	return 0
}

// Read reads from the disk.
func (d *device) Read(_ context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	n, err := d.image.ReadAt(dest, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fs.ToErrno(err)
	}
	return fuse.ReadResultData(dest[:n]), 0
}

// Write writes to the disk.
func (d *device) Write(_ context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if err := (Entry{Offset: off, Data: data}).appendTo(d.log); err != nil {
		return 0, fs.ToErrno(err)
	}
	n, err := d.image.WriteAt(data, off)
	return uint32(n), fs.ToErrno(err)
}

// Fsync flushes the disk.
func (d *device) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return fs.ToErrno((Entry{}).appendTo(d.log))
}
