package testbed

import (
	"context"
	"errors"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// rootFolder shows a throw-away copy of the testbed's root file system in a sandbox.
type rootFolder struct {
	image  *image
	target string
}

// openRootFolder makes sure that the image is there, and keeps it from being pruned.
func openRootFolder(ctx context.Context, target string, kind Kind) (*rootFolder, error) {
	if target == "" {
		return nil, nil
	}
	if err := Missing(ContainerKind); err != nil {
		return nil, errors.New("the root file system " + err.Error())
	}
	i, err := openRoot(ctx, progressWriter(nil), kind)
	if err != nil {
		return nil, err
	}
	return &rootFolder{image: i, target: target}, nil
}

// mount is a step of a sandbox, after the machine's folders are covered. Programs that
// are run in the folder with chroot find the kernel's file systems there.
func (r *rootFolder) mount(scratch string) error {
	if err := mountOverlay(r.image.path("tree"), filepath.Join(scratch, "root"), r.target); err != nil {
		return err
	}
	for _, path := range []string{"/proc", "/sys", "/dev"} {
		if err := mount(path, filepath.Join(r.target, path), "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return err
		}
	}
	return mountTmpfs(filepath.Join(r.target, "run"))
}

func (r *rootFolder) close() error {
	if r == nil {
		return nil
	}
	return r.image.Close()
}
