package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/input"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

const validateLong = `validate reads files with HostProfiles as 'up' does, and looks at no host. It finds every
mistake in one pass: unknown fields, settings that no profile may have, what YAML makes of
a value (010 is 8, off is a boolean), names that are there twice, and profiles of one
priority that disagree.

Profiles that only a cluster can use, with mode: Plan or paused: true, are valid, although
'up' refuses them. Those with a nodeSelector are compared with each other only if
--node-labels says which of them meet on one node.`

const validateExample = `  bootstrap validate -f site.yaml
  bootstrap validate -f site.yaml --profile kubernetes -o json
  kustomize build . | bootstrap validate -f -`

func (s *session) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validate -f FILE...", Short: "Are the files right? Looks at no host",
		GroupID: files, Long: validateLong, Example: validateExample, Args: noArguments,
		RunE: s.do("validate", func(context.Context, []string) (*answer, error) { return s.validate() }),
	}
	s.inputFlags(cmd)
	return cmd
}

// validate has the mistakes as its result, so that people find them where they look for
// the result of a command.
func (s *session) validate() (*answer, error) {
	in, err := s.read()
	if err == nil && in == nil {
		return nil, exit.BadUsage("nothing to validate", "name a file: bootstrap validate -f FILE")
	}
	if err == nil {
		err = s.meet(in)
	}
	var wrong profile.InputErrors
	if errors.As(err, &wrong) {
		return s.mistakes(wrong, err)
	}
	if err != nil {
		return nil, err
	}
	a := valid(in.Profiles())
	if s.quiet {
		a.text = ""
	}
	return a, nil
}

// meet looks for conflicts between the profiles that are known to meet on a node.
func (s *session) meet(in *profile.Input) error {
	var together []v1alpha1.HostProfile
	if s.input.labels == nil {
		for _, p := range in.Profiles() {
			if sel := p.Spec.NodeSelector; sel != nil && len(sel.MatchLabels)+len(sel.MatchExpressions) == 0 {
				together = append(together, p)
			}
		}
	} else {
		var err error
		if together, err = in.Select(s.node("")); err != nil {
			return err
		}
	}
	if wrong := input.Conflicts(in, together); len(wrong) > 0 {
		return wrong
	}
	return nil
}

func (s *session) mistakes(wrong profile.InputErrors, err error) (*answer, error) {
	if s.format != document.Text {
		return nil, err
	}
	a := &answer{document: document.New(document.Error, "validate", "")}
	a.document.ExitCode = exit.Usage
	var b strings.Builder
	_ = wrong.WriteText(&b)
	a.text = b.String()
	return a, nil
}

func valid(all []v1alpha1.HostProfile) *answer {
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	a := &answer{document: document.New(document.Report, "validate", "")}
	a.document.Summary = struct {
		Profiles []string `json:"profiles"`
	}{names}
	word := "profiles"
	if len(all) == 1 {
		word = "profile"
	}
	a.text = fmt.Sprintf("Valid: %d %s (%s).\n", len(all), word, strings.Join(names, ", "))
	return a
}
