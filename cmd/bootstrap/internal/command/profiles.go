package command

import (
	"bytes"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/input"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

const profilesLong = `profiles lists the profiles that are part of this program. With a name it prints that
profile as YAML, with a comment at each setting: a good start for one of your own.

They are ordinary HostProfiles with negative priorities, so that everything you write
yourself wins over them.`

const profilesExample = `  bootstrap profiles
  bootstrap profiles kubernetes
  bootstrap profiles kubelet-defaults > site.yaml     # then change name and priority`

func (s *session) profilesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "profiles [NAME]", Short: "The profiles that are built in",
		GroupID: files, Long: profilesLong, Example: profilesExample, Args: oneProfile,
		ValidArgs: profiles.Names(),
		RunE: s.do("profiles", func(_ context.Context, args []string) (*answer, error) {
			if len(args) == 0 {
				return listProfiles(s.painter(s.env.Terminal.Out))
			}
			return showProfile(args[0])
		}),
	}
}

// builtin is a profile in the document.
type builtin struct {
	Name     string                `json:"name"`
	Aliases  []string              `json:"aliases"`
	Summary  string                `json:"summary"`
	Priority int32                 `json:"priority"`
	Profile  *v1alpha1.HostProfile `json:"profile,omitempty"`
}

func describe(b profiles.Builtin) (builtin, error) {
	loaded, err := profile.Load("built-in "+b.Name, bytes.NewReader(b.YAML))
	if err != nil {
		return builtin{}, err
	}
	return builtin{
		Name: b.Name, Aliases: append([]string{}, b.Aliases...), Summary: b.Summary,
		Priority: loaded[0].Spec.Priority, Profile: &loaded[0],
	}, nil
}

func listProfiles(p layout.Painter) (*answer, error) {
	a := &answer{document: document.New(document.ProfileList, "profiles", "")}
	t := layout.Table{Caps: []int{20, 10, 60}}
	for _, b := range profiles.All() {
		d, err := describe(b)
		if err != nil {
			return nil, err
		}
		d.Profile = nil
		a.document.Items = append(a.document.Items, d)
		alias := ""
		if len(d.Aliases) > 0 {
			alias = "(" + strings.Join(d.Aliases, ", ") + ")"
		}
		t.Row(layout.Cell{Text: d.Name, Colour: layout.Bold}, layout.Text(alias), layout.Text(d.Summary))
	}
	a.text = t.Render(p)
	return a, nil
}

func showProfile(name string) (*answer, error) {
	b, known := profiles.Get(name)
	if !known {
		return nil, input.Unknown(name)
	}
	d, err := describe(b)
	if err != nil {
		return nil, err
	}
	a := &answer{document: document.New(document.ProfileList, "profiles", ""), text: string(b.YAML)}
	a.document.Items = append(a.document.Items, d)
	return a, nil
}
