package testbed

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// The functions of this file are steps of a cell: they change the mount
// namespace of the calling thread only.

// privateMounts gives the thread a mount namespace from which nothing spreads.
func privateMounts() error {
	if err := unix.Unshare(unix.CLONE_NEWNS); err != nil {
		return fmt.Errorf("make a mount namespace: %w", err)
	}
	return mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
}

// mountTmpfs mounts an empty file system over a folder.
func mountTmpfs(target string) error {
	return mount("tmpfs", target, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755")
}

// mountReadOnly makes what is at target read-only, below it included.
func mountReadOnly(target string) error {
	if err := mount(target, target, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	return mount("", target, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, "")
}

// mountWritable makes target writable below a folder that is read-only.
func mountWritable(target string) error {
	if err := mount(target, target, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	return mount("", target, "", unix.MS_BIND|unix.MS_REMOUNT, "")
}

// mountOverlay shows lower at target; what is written there goes to room/upper.
func mountOverlay(lower, room, target string) error {
	upper, work := filepath.Join(room, "upper"), filepath.Join(room, "work")
	for _, dir := range []string{upper, work, target} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if err := copyOwner(lower, upper); err != nil {
		return err
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s",
		overlayPath(lower), overlayPath(upper), overlayPath(work))
	return mount("overlay", target, "overlay", 0, options)
}

// copyOwner gives to the owner and the mode of from: an overlay's root folder
// shows those of its upper layer.
func copyOwner(from, to string) error {
	var st unix.Stat_t
	if err := unix.Stat(from, &st); err != nil {
		return &os.PathError{Op: "stat", Path: from, Err: err}
	}
	if err := os.Chown(to, int(st.Uid), int(st.Gid)); err != nil {
		return err
	}
	return unix.Chmod(to, st.Mode&0o7777)
}

// overlayPath escapes the characters that overlayfs gives a meaning.
func overlayPath(path string) string {
	return strings.NewReplacer(`\`, `\\`, `:`, `\:`, `,`, `\,`).Replace(path)
}

func mount(source, target, kind string, flags uintptr, options string) error {
	if err := unix.Mount(source, target, kind, flags, options); err != nil {
		return fmt.Errorf("mount %s over %s: %w", cmp.Or(kind, source, "nothing"), target, err)
	}
	return nil
}
