package command

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
)

const statusLong = `status says what was applied on this host and whether it still holds. It compares the
record with the host, writes nothing and takes no lock.

It ends with 0 if everything that is required holds, with 1 if something does not, and
with 3 if nothing is managed on this host. To repair, run 'bootstrap up' without profiles.

With --root DIR, and on a build host with --image, it says whether the files of an image are
as 'up' left them there. Without --image a host that was only prepared to be an image says
so and ends with 1: the settings are not in force on it.

With --expect-clean it looks for anything of ours instead, recorded or not, and ends with
1 if there is any: after a 'bootstrap down' there is none.`

const statusExample = `  sudo bootstrap status
  sudo bootstrap status -v                            # every setting
  sudo bootstrap status -q || sudo bootstrap up       # repair if needed`

func (s *session) statusCommand() *cobra.Command {
	var clean bool
	cmd := &cobra.Command{
		Use: "status", Short: "What is in force, and does it hold? Writes nothing",
		GroupID: look, Long: statusLong, Example: statusExample, Args: noArguments,
		RunE: s.do("status", func(ctx context.Context, _ []string) (*answer, error) {
			if clean {
				return s.expectClean(ctx)
			}
			return s.status(ctx)
		}),
	}
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if clean && s.image {
			return exit.BadUsage("--image and --expect-clean exclude each other", "say one of them")
		}
		return s.checkImageFlags()
	}
	s.rootFlag(cmd)
	s.imageFlag(cmd, "this host is made an image of: look at the files for its clones, and at nothing that is live")
	cmd.Flags().BoolVar(&clean, "expect-clean", false, "end with 1 if anything of ours is on this host, recorded or not")
	return cmd
}

// expectClean says what of ours is on a host that should have nothing.
func (s *session) expectClean(ctx context.Context) (*answer, error) {
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	remains, err := h.Unclean()
	if err != nil {
		return nil, err
	}
	slices.Sort(remains)
	v := s.view(nil)
	return &answer{document: report.OfUnclean(v, remains), text: report.Unclean(v, remains)}, nil
}

func (s *session) status(ctx context.Context) (*answer, error) {
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	st, err := h.Status(ctx)
	if err != nil {
		return nil, err
	}
	o := &opened{Host: h}
	v := s.view(o.profiles())
	if len(v.Profiles) > 0 {
		overrides, err := o.Overrides(nil)
		v.Warnings = unreadable(err)
		v.Warnings = append(v.Warnings, report.Overridden(report.Blame(&st.Report, overrides))...)
	}
	v.Warnings = append(v.Warnings, report.NodeIPWarnings(st.NodeIP)...)
	if st.Managed {
		v.Warnings = append(v.Warnings, report.BootWarnings(&st.Boot)...)
	}
	return &answer{document: report.OfStatus(v, &st), text: report.Status(v, &st)}, nil
}
