package command

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops"
)

const upLong = `up brings this host to what the profiles wish, now and at every boot. What it changes is
recorded first, so that it can be given back; what is right already is left alone. Run it
as often as you like: a second run writes nothing.

The profiles replace those of the last run: what only those wished is given back. Without
profiles, those of the last run are applied again, which repairs what others changed.

A setting that fails does not stop the others. The run then ends with 1 and says what
failed and why; run it again after the fix.

A unit, hostprofile.service, then does the same at every boot before kubelet, repairs what
others change, and lets a kubelet start only when all that is required holds. It runs a
copy of this program in /usr/local/bin, or the one of a package. --no-unit, --no-gate and
--bin-dir are kept until the next up that says otherwise; see docs/install.md.

With --root DIR it prepares the image that is mounted there, and with --image the host that
it runs on, to make an image of it. It writes the files of the next boots and the record,
and nothing else: no setting is changed here, nothing is loaded or mounted, and nothing of
this machine is kept. The first boot of each clone does the rest, chooses the address of the
node and owns it all. What was there before us is then not known: see docs/install.md.

The address of the node, once chosen, is kept: with another --node-ip up refuses, ends
with 3 and touches nothing. Drain the node first, then add --move-node-ip.` + inputHelp

const upExample = `  sudo bootstrap up --profile kubernetes
  sudo bootstrap up --profile kubernetes --profile cilium -f site.yaml
  sudo bootstrap up                                   # again, what was applied last
  sudo bootstrap up -f site.yaml --node-ip 192.0.2.10 # and this is the node's address
  sudo bootstrap up -f site.yaml --root /mnt/image    # for the boots of an image
  sudo bootstrap up -f site.yaml --dry-run            # the same as plan`

func (s *session) upCommand() *cobra.Command {
	var dryRun, adopt bool
	cmd := &cobra.Command{
		Use: "up [-f FILE]... [--profile NAME]...", Short: "Make it so, and record what was there before",
		GroupID: change, Long: upLong, Example: upExample, Args: noArguments,
	}
	run := s.do("up", func(ctx context.Context, _ []string) (*answer, error) { return s.up(ctx, adopt) })
	cmd.PreRunE = func(*cobra.Command, []string) error {
		return cmp.Or(s.checkNodeIPFlags(), s.checkImageFlags(), s.checkUnitFlags())
	}
	dry := s.do("plan", func(ctx context.Context, _ []string) (*answer, error) { return s.plan(ctx, false) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if dryRun {
			return dry(cmd, args)
		}
		return run(cmd, args)
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "write nothing: the same as 'bootstrap plan'")
	cmd.Flags().BoolVar(&adopt, "adopt", false, "start a new record where it is lost or unreadable; what was there before is then unknown")
	s.nodeIPFlag(cmd)
	s.moveFlag(cmd)
	s.rootFlag(cmd)
	s.imageFlag(cmd, ofImage)
	s.unitFlags(cmd)
	s.inputFlags(cmd)
	s.lockFlag(cmd)
	return cmd
}

func (s *session) up(ctx context.Context, adopt bool) (*answer, error) {
	if err := s.mustBeRoot(); err != nil {
		return nil, err
	}
	o, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	profiles := o.profiles()
	var warnings []document.Message
	r, err := o.Up(ctx, o.given, hostops.UpOptions{Adopt: adopt, Announce: func() { warnings = s.warn(o) }})
	if err != nil && len(r.Stages) == 0 {
		return nil, err
	}
	v := s.view(profiles)
	v.Stopped, v.Warned = err != nil, len(warnings)
	v.FirstBoot, _ = o.FirstBoot(nil) // the run would have refused what is wrong with it
	v.Warnings = append(report.NodeIPWarnings(o.DecidedNodeIP()), report.Reload(&r, o.SystemdAvailable(ctx))...)
	v.Warnings = append(v.Warnings, maskedUnit(o.Host)...)
	a := &answer{document: report.OfRun("up", v, &r), text: report.Up(v, &r)}
	a.document.Warnings = append(warnings, a.document.Warnings...)
	return a, err
}

// warn tells people what they should know before anything is changed.
func (s *session) warn(o *opened) []document.Message {
	if o.given == nil {
		if in, err := o.SavedInput(); err != nil || in == nil {
			return nil // the run will say it
		}
	}
	warnings := o.warnings()
	if s.format == document.Text && len(warnings) > 0 {
		v := report.View{Warnings: warnings, Painter: s.painter(s.env.Terminal.Err)}
		fmt.Fprint(s.env.Stderr, v.Warning())
	}
	return warnings
}
