package testbed

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// A container's user namespace: its root is the machine's user firstUser.
const (
	firstUser = 524288
	users     = 65536
)

// shiftedRecipe makes the root file system as the users of a container's user
// namespace own it.
func shiftedRecipe(root recipe) recipe {
	return recipe{
		name: string(ContainerKind),
		key:  key(recipeVersion, root.key),
		build: func(ctx context.Context, dir string, p progress) error {
			from, err := root.open(ctx, p)
			if err != nil {
				return err
			}
			defer func() { _ = from.Close() }()
			tree := filepath.Join(dir, "tree")
			return p.step("giving files to the container's users", func() error {
				if _, err := tool(ctx, "cp", "--archive", "--reflink=auto", from.path("tree"), tree); err != nil {
					return err
				}
				return shift(tree)
			})
		},
	}
}

// shift moves the owners of everything below dir into the user namespace.
func shift(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return shiftOne(path)
	})
}

func shiftOne(path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return &os.PathError{Op: "lstat", Path: path, Err: err}
	}
	if st.Uid >= firstUser {
		return nil // a hard link, met a second time
	}
	if err := unix.Lchown(path, int(st.Uid)+firstUser, int(st.Gid)+firstUser); err != nil {
		return fmt.Errorf("change the owner of %s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return nil
	}
	// The kernel takes set-user-ID away with the owner.
	return unix.Chmod(path, st.Mode&0o7777)
}
