package command

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/version"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/facts"
)

// session is one run of the program.
type session struct {
	env     Environment
	started time.Time

	// What the flags say.
	format         document.Format
	verbose, quiet bool
	noColour       bool
	rootDir        string
	image          bool // an image is made of this host
	lockTimeout    time.Duration
	input          inputFlags
	nodeIP         nodeIPFlags
	unit           unitFlags

	// What is known of the run so far.
	command     string
	host, about string             // of the opened host
	hush        func() bool        // ends what progress does; nil without it
	entered     func(stage string) // is told the stages in place of people; may be nil
	answer      *answer
	err         error
}

// do makes the body of a command.
func (s *session) do(name string, body func(ctx context.Context, args []string) (*answer, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		s.command = name
		if s.quiet && s.verbose {
			return errors.New("-q and -v exclude each other")
		}
		s.answer, s.err = body(cmd.Context(), args)
		return nil
	}
}

// open opens the host. Commands that write are for root only.
func (s *session) open(ctx context.Context) (*hostops.Host, error) {
	if s.rootDir == "" {
		return nil, exit.BadUsage("--root names no folder", "leave it out for this host")
	}
	h, err := hostops.Open(ctx, hostops.Options{
		Root:        s.rootDir,
		Tree:        s.ofTree(),
		Image:       s.image,
		Version:     version.Describe(s.env.Version).Version,
		Holder:      fmt.Sprintf("bootstrap %s, pid %d", s.command, s.env.PID),
		LockTimeout: s.lockTimeout,
		Progress:    s.stageProgress(),
		ManySysctls: s.command == "up",
		Machine:     s.env.Machine,
		NodeIP:      s.nodeIPOptions(),
		Unit:        s.unitOptions(),
	})
	if err != nil {
		return nil, s.notATree(err)
	}
	s.host, s.about = nameOf(h.Facts()), about(h.Facts())
	return h, nil
}

// about is the host in one line, as far as it is known.
func about(f facts.Facts) string {
	text := f.OS.PrettyName
	if f.Kernel.Raw != "" {
		text += ", kernel " + f.Kernel.Raw
	}
	return text
}

// nameOf is the name that a person types to mean this host. One that has none yet is
// called like every host calls itself.
func nameOf(f facts.Facts) string {
	if f.Hostname == "" || f.Hostname == "(none)" {
		return "localhost"
	}
	return f.Hostname
}

// mustBeRoot refuses what only root may do.
func (s *session) mustBeRoot() error {
	if s.env.Root {
		return nil
	}
	return &exit.Failure{
		Code: exit.NotRoot, Reason: "NotRoot",
		Message: "only root may change a host", Fix: "run it with sudo",
	}
}
