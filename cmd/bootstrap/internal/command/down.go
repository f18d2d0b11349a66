package command

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

const downLong = `down gives this host back as it was before the first 'bootstrap up': kernel settings,
swap, files, and the unit that prepares the host at boot. It gives back what is recorded
and nothing else, needs neither profiles nor a cluster, and leaves alone, and names, what
somebody changed since. Modules stay loaded until the next boot. What a cluster
left is named, files, links and rules in the kernel, and not ours to remove.

Afterwards nothing is applied on this host until the next 'bootstrap up'. A marker says so,
/var/lib/hostprofile/disabled; --purge removes it as well.

With --root DIR it takes away what 'up --root DIR' wrote, and leaves no marker.

down asks before it starts. Without a terminal it needs --yes.`

const downExample = `  sudo bootstrap down --dry-run
  sudo bootstrap down
  sudo bootstrap down --yes -o json                   # from a script`

// downFlags are the flags of down.
type downFlags struct{ dryRun, yes, purge, adopt bool }

func (s *session) downCommand() *cobra.Command {
	var d downFlags
	cmd := &cobra.Command{
		Use: "down", Short: "Give back exactly what was recorded",
		GroupID: change, Long: downLong, Example: downExample, Args: noArguments,
		RunE: s.do("down", func(ctx context.Context, _ []string) (*answer, error) {
			if d.dryRun && d.adopt {
				return nil, exit.BadUsage("--dry-run shows what the record says, and --adopt is for a host whose record is lost", "say one of them")
			}
			if d.dryRun {
				return s.planDown(ctx)
			}
			return s.down(ctx, d)
		}),
	}
	f := cmd.Flags()
	f.BoolVar(&d.dryRun, "dry-run", false, "write nothing: say what would be given back")
	f.BoolVar(&d.yes, "yes", false, "do not ask")
	f.BoolVar(&d.purge, "purge", false, "also remove the marker that keeps others from applying profiles again")
	f.BoolVar(&d.adopt, "adopt", false, "remove our files where the record is lost or unreadable; settings stay as they are")
	s.rootFlag(cmd)
	s.lockFlag(cmd)
	return cmd
}

func (s *session) planDown(ctx context.Context) (*answer, error) {
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	r, given, err := foreseen(ctx, h)
	if err != nil {
		return nil, err
	}
	v := s.view((&opened{Host: h}).profiles())
	return &answer{document: report.OfDown(v, &r, given), text: report.DownPlan(v, &r, given)}, nil
}

// foreseen is what giving back would do, and what we had set.
func foreseen(ctx context.Context, h *hostops.Host) (item.Report, report.Given, error) {
	r, err := h.PlanDown(ctx)
	if err != nil {
		return r, report.Given{}, adoptHint(err)
	}
	given := report.Given{}
	if given.Ours, err = h.Recorded(); err != nil || len(given.Ours) == 0 {
		return r, given, err
	}
	given.Foreign, err = h.Foreign(ctx)
	return r, given, err
}

// recordIsLost reports whether nobody knows what is to be given back.
func recordIsLost(err error) bool {
	refused, ok := errors.AsType[*hostops.RefusedError](err)
	return ok && refused.Reason == item.Reason(v1alpha1.ReasonLedgerUnreadable)
}

// adoptHint says what helps down where the record is lost, which is not what helps up.
func adoptHint(err error) error {
	if !recordIsLost(err) {
		return err
	}
	refused, _ := errors.AsType[*hostops.RefusedError](err)
	e := *refused
	e.Fix = "bootstrap down --adopt removes our files and leaves settings as they are"
	return &e
}

func (s *session) down(ctx context.Context, d downFlags) (*answer, error) {
	if err := s.mustBeRoot(); err != nil {
		return nil, err
	}
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	profiles := (&opened{Host: h}).profiles()
	given, err := s.consent(ctx, h, d)
	if err != nil {
		return nil, err
	}
	r, err := h.Down(ctx, hostops.DownOptions{Adopt: d.adopt, Purge: d.purge})
	if err != nil && len(r.Stages) == 0 {
		return nil, err
	}
	v := s.view(profiles)
	v.Stopped = err != nil
	var lookErr error
	if !v.Stopped {
		given.Remains, lookErr = h.Remains()
		slices.Sort(given.Remains)
	}
	return &answer{document: report.OfDown(v, &r, given), text: report.Down(v, &r, given)}, errors.Join(err, lookErr)
}
