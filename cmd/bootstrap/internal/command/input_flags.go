package command

import (
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/input"
	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// inputFlags name the profiles to work with.
type inputFlags struct {
	files, builtins []string
	labels          input.Labels
	set             *pflag.FlagSet // is shared by the commands that have them
}

func (s *session) inputFlags(cmd *cobra.Command) {
	if s.input.set != nil {
		cmd.Flags().AddFlagSet(s.input.set)
		return
	}
	f := pflag.NewFlagSet("input", pflag.ContinueOnError)
	s.input.set = f
	f.StringArrayVarP(&s.input.files, "filename", "f", nil, "`FILE` with HostProfiles, or - for the standard input; may be given more than once")
	f.StringArrayVar(&s.input.builtins, "profile", nil, "`NAME` of a built-in profile (see: bootstrap profiles); may be given more than once")
	f.Var(&s.input.labels, "node-labels", "labels that the node has or will have, for profiles with a nodeSelector")
	_ = cobra.MarkFlagFilename(f, "filename", "yaml", "yml", "json")
	cmd.Flags().AddFlagSet(f)
	_ = cmd.RegisterFlagCompletionFunc("profile", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return profiles.Names(), cobra.ShellCompDirectiveNoFileComp
	})
}

// inputHelp is the part of the help that all commands with these flags share.
const inputHelp = `

Profiles come from files (-f) and from the program itself (--profile). Their order on the
command line never matters: for each setting the profile with the higher priority wins,
and the built-in ones have negative priorities. Two profiles of one priority that disagree
are refused.

A profile with a nodeSelector is for some nodes only. Say which labels this node has or
will have with --node-labels; hostname, os and arch are known.`

// read reads the named profiles; nil if none are named.
func (s *session) read() (*profile.Input, error) {
	r := input.Request{Files: s.input.files, Builtins: s.input.builtins, Stdin: s.env.Stdin}
	if r.Empty() {
		return nil, nil
	}
	for _, name := range r.Files {
		if name == "-" && s.env.Terminal.In {
			fmt.Fprintln(s.env.Stderr, "Reading HostProfiles from the terminal; end with Ctrl-D.")
		}
	}
	return r.Read()
}

// node is what a nodeSelector is matched against.
func (s *session) node(hostname string) profile.Node {
	return profile.Node{Hostname: hostname, OS: runtime.GOOS, Arch: runtime.GOARCH, Labels: s.input.labels}
}

// opened is a host together with the profiles that are meant for it.
type opened struct {
	*hostops.Host
	// given are the profiles of the command line; nil stands for the saved input.
	given []v1alpha1.HostProfile
}

// ready opens the host, reads the input, and picks the profiles that are meant for the host.
func (s *session) ready(ctx context.Context) (*opened, error) {
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	in, err := s.read()
	if err != nil {
		return nil, err
	}
	o := &opened{Host: h}
	if in != nil {
		o.given, err = input.For(in, s.node(s.host))
	}
	return o, err
}

// profiles are those that a run works with: the given ones, else the saved ones.
func (o *opened) profiles() []v1alpha1.HostProfile {
	if o.given != nil {
		return o.given
	}
	if in, err := o.SavedInput(); err == nil && in != nil {
		return in.Profiles
	}
	return nil
}
