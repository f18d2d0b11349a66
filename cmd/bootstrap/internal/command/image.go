package command

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/hostops"
)

// rootFlag is for commands that can work on the file system of a host that does not run.
func (s *session) rootFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.rootDir, "root", "/", "the `DIR` where the file system of a host that does not run is mounted, such as an image")
	_ = cmd.MarkFlagDirname("root")
}

// ofImage is what --image means to those who prepare.
const ofImage = "this host is made an image of: prepare the boots of its clones, and change nothing that is live"

// imageFlag is for commands that can prepare the host that they run on for its clones.
func (s *session) imageFlag(cmd *cobra.Command, usage string) {
	cmd.Flags().BoolVar(&s.image, "image", false, usage)
}

// ofTree reports whether the host is the tree of one that does not run.
func (s *session) ofTree() bool { return s.rootDir != "/" }

// notATree makes a --root that leads to no other host a mistake of the command line.
func (s *session) notATree(err error) error {
	if !s.ofTree() {
		return err
	}
	var cause string
	fix := "name the folder at which the file system is mounted"
	switch {
	case errors.Is(err, hostops.ErrOwnRoot):
		cause, fix = hostops.ErrOwnRoot.Error(), "leave --root out; to make an image of this host: --image"
	case errors.Is(err, fs.ErrNotExist):
		cause = "no such file or directory"
	case errors.Is(err, syscall.ENOTDIR):
		cause = "it is no folder"
	default:
		return err
	}
	f := exit.BadUsage("--root "+s.rootDir+": "+cause, fix)
	f.Err = err
	return f
}

// checkImageFlags refuses a command line before the host is looked at.
func (s *session) checkImageFlags() error {
	switch {
	case s.image && s.ofTree():
		return exit.BadUsage("--image is for the host that bootstrap runs on, and --root for one that does not run", "say one of them")
	case (s.image || s.ofTree()) && s.nodeIP.address != "":
		return exit.BadUsage("an image has no address of a node: each clone chooses its own at its first boot", "leave --node-ip out")
	default:
		return nil
	}
}
