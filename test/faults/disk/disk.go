package disk

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Size is how large a disk is, in bytes: as large as ext4 needs for a journal.
const Size = 16 << 20

// BlockSize is how many bytes ext4 writes as one.
const BlockSize = 1024

// Disk is an ext4 in a file, and where it is mounted. It is used by one goroutine.
type Disk struct {
	image, dir, options string
	loop                *os.File // the loop device; nil while it is not mounted
}

// New makes an empty disk whose image is in the folder scratch. dir is where it is
// mounted, and options how, as in mount(8); none are the defaults.
func New(scratch, dir, options string) (*Disk, error) {
	image := filepath.Join(scratch, filepath.Base(dir)+".ext4")
	if err := Format(image); err != nil {
		return nil, err
	}
	return Over(image, dir, options)
}

// Format makes an empty ext4 in a file. Nothing is left to be initialized later.
func Format(image string) error {
	f, err := os.Create(image)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Truncate(Size), f.Close()); err != nil {
		return err
	}
	out, err := exec.Command("mkfs.ext4", "-q", "-F", "-b", strconv.Itoa(BlockSize), "-E", "lazy_itable_init=0,lazy_journal_init=0", image).CombinedOutput()
	if err != nil {
		return fmt.Errorf("mkfs.ext4: %w: %s", err, out)
	}
	return nil
}

// Over is a disk over an image that is there already. dir and options are as for New.
func Over(image, dir, options string) (*Disk, error) {
	return &Disk{image: image, dir: dir, options: options}, os.MkdirAll(dir, 0o755)
}

// Mount mounts the disk. After a cut, the kernel replays its journal.
func (d *Disk) Mount() error {
	loop, err := Attach(d.image)
	if err != nil {
		return fmt.Errorf("a loop device for %s: %w", d.image, err)
	}
	d.loop = loop
	if err := unix.Mount(loop.Name(), d.dir, "ext4", 0, d.options); err != nil {
		return errors.Join(fmt.Errorf("mount %s: %w", d.dir, err), d.detach())
	}
	return nil
}

// Unmount takes the disk off. What was not cut off is written first.
func (d *Disk) Unmount() error {
	if d.loop == nil {
		return nil
	}
	if err := unix.Unmount(d.dir, 0); err != nil {
		return fmt.Errorf("unmount %s: %w", d.dir, err)
	}
	return d.detach()
}

// detach gives the loop device back: the kernel frees it with its last user.
func (d *Disk) detach() error {
	err := d.loop.Close()
	d.loop = nil
	return err
}

// Kind is what reaches the disk at the moment of a cut.
type Kind uint32

// The kinds of cuts, with the kernel's numbers.
const (
	// Nothing more reaches the disk.
	Nothing Kind = 2
	// Journal is what was changed of names and sizes, but no content: as if the kernel
	// had just written its journal.
	Journal Kind = 1
)

// shutdown is FS_IOC_SHUTDOWN of the kernel: _IOR('X', 125, __u32).
const shutdown = 0x8004587d

// Cut cuts the power. Every later call on the disk fails until it is unmounted and mounted
// again. It refuses a file system that is not this disk.
func (d *Disk) Cut(k Kind) error {
	fd, err := unix.Open(d.dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	if err := d.guard(fd); err != nil {
		return fmt.Errorf("the power of %s stays on: %w", d.dir, err)
	}
	return unix.IoctlSetPointerInt(fd, shutdown, int(k))
}

// Sync makes all durable that is on the disk now.
func (d *Disk) Sync() error {
	fd, err := unix.Open(d.dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(fd), unix.Close(fd))
}
