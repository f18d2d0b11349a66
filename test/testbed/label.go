package testbed

import (
	"context"
	"os/exec"
	"path/filepath"
)

// fileContexts are the labels that the policy of SELinuxKind names.
const fileContexts = "/etc/selinux/default/contexts/files/file_contexts"

// label returns a copy of a tree in which every file has its label. It is made by the
// tree's own program, since this machine may have none and need not run SELinux.
func (b vmBuild) label(ctx context.Context, c *cell, tree string) (string, error) {
	labelled := filepath.Join(b.dir, "labelled")
	for _, argv := range [][]string{
		{"cp", "--archive", tree, labelled},
		{"mount", "-t", "proc", "proc", filepath.Join(labelled, "proc")},
		{"chroot", labelled, "setfiles", "-F", fileContexts, "/"},
		{"umount", filepath.Join(labelled, "proc")},
	} {
		result, err := runProcess(ctx, c, exec.CommandContext(ctx, argv[0], argv[1:]...))
		if err := check(result, err, argv...); err != nil {
			return labelled, err
		}
	}
	return labelled, nil
}
