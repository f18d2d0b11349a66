package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
)

const checkLong = `check says whether this host will do, before anything is installed on it: the kernel and
what it was built with, cgroups, kernel modules, swap and what takes it into use, kernel
settings, files of others and TuneD where they set the same settings, the name of the host,
the address of the node, NetworkManager and firewalld. Where the kubelet is told to protect
the kernel's defaults, or with --profile kubelet-defaults, it looks at those as well, and
where RKE2 is told to obey a CIS benchmark, at what that needs. It writes nothing and takes
no lock.

With --root DIR it looks at the file system of a host that does not run, such as a mounted
image, as far as files alone can tell.

It ends with 1 only if something that is required fails and 'up' will not mend it. What
only Kubernetes needs is required only if a profile for Kubernetes is named, else told.
Without profiles it looks at those that were applied last.` + inputHelp

const checkExample = `  bootstrap check
  bootstrap check --profile kubernetes --profile cilium
  bootstrap check --profile kubelet-defaults -f site.yaml -o json
  bootstrap check --profile kubernetes --root /mnt/image`

func (s *session) checkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "check [-f FILE]... [--profile NAME]...", Short: "Will this host do? Writes nothing",
		GroupID: look, Long: checkLong, Example: checkExample, Args: noArguments,
		RunE: s.do("check", func(ctx context.Context, _ []string) (*answer, error) { return s.check(ctx) }),
	}
	s.rootFlag(cmd)
	s.inputFlags(cmd)
	return cmd
}

func (s *session) check(ctx context.Context) (*answer, error) {
	o, err := s.ready(ctx)
	if err != nil {
		return nil, err
	}
	results, err := o.Check(ctx, o.given)
	if err != nil {
		return nil, err
	}
	v := s.view(o.profiles())
	return &answer{document: report.OfCheck(v, results), text: report.Check(v, results, len(v.Profiles) > 0)}, nil
}
