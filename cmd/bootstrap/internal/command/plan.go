package command

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
)

const planLong = `plan says what 'bootstrap up' with the same flags would change on this host. It writes
nothing and takes no lock. Without profiles it looks at those that were applied last.

In front of each line stands what would happen:

  +  add                      =  right already, kept (with -v)
  ~  change                   -  give back: no profile wants it any more
  !  change that can cut connections
  ?  not known now, or not possible: the line says why

With --exit-code it ends with 4 if something would change, with 1 if something that is
required cannot be reached, else with 0. What 'up' refuses beforehand, such as a kernel that
is too old, plan refuses as well, with 3.` + inputHelp

const planExample = `  bootstrap plan --profile kubernetes
  bootstrap plan --profile kubernetes --profile cilium -f site.yaml
  bootstrap plan -f site.yaml --exit-code -o json     # for CI and Ansible
  kustomize build . | bootstrap plan -f -`

func (s *session) planCommand() *cobra.Command {
	var exitCode bool
	cmd := &cobra.Command{
		Use: "plan [-f FILE]... [--profile NAME]...", Short: "What would change? Writes nothing",
		GroupID: look, Long: planLong, Example: planExample, Args: noArguments,
		RunE: s.do("plan", func(ctx context.Context, _ []string) (*answer, error) { return s.plan(ctx, exitCode) }),
	}
	cmd.Flags().BoolVar(&exitCode, "exit-code", false, "end with 4 if something would change")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		return cmp.Or(s.checkNodeIPFlags(), s.checkImageFlags(), s.checkUnitFlags())
	}
	s.nodeIPFlag(cmd)
	s.moveFlag(cmd)
	s.rootFlag(cmd)
	s.imageFlag(cmd, ofImage)
	s.inputFlags(cmd)
	s.unitFlags(cmd)
	return cmd
}

func (s *session) plan(ctx context.Context, exitCode bool) (*answer, error) {
	o, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	r, err := o.Plan(ctx, o.given)
	if err != nil {
		return nil, err
	}
	v := s.view(o.profiles())
	v.FirstBoot, _ = o.FirstBoot(o.given) // as in the run, which refuses what is wrong
	v.Warnings = append(o.warnings(), report.NodeIPWarnings(o.DecidedNodeIP())...)
	v.Warnings = append(v.Warnings, maskedUnit(o.Host)...)
	a := &answer{document: report.OfRun("plan", v, &r), text: report.Plan(v, &r)}
	if exitCode {
		a.document.ExitCode = planCode(report.Count(&r))
	}
	return a, nil
}

func planCode(t report.Tally) exit.Code {
	switch {
	case t.Failed > 0:
		return exit.Failed
	case !t.Quiet():
		return exit.Changes
	default:
		return exit.OK
	}
}
