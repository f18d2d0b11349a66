package command

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
)

// view is how this run shows a report.
func (s *session) view(profiles []v1alpha1.HostProfile) report.View {
	return report.View{
		Host: s.host, About: s.about, Profiles: profiles,
		Verbose: s.verbose, Quiet: s.quiet,
		Painter: s.painter(s.env.Terminal.Out),
		Took:    s.env.Now().Sub(s.started),
	}
}

// warnings are about what others have on the host against the profiles.
func (o *opened) warnings() []document.Message {
	overrides, err := o.Overrides(o.given)
	out := append(unreadable(err), report.Overridden(overrides)...)
	out = append(out, report.Floor(o.FloorWarnings(o.given))...)
	managed, err := o.ManagedInterfaces(o.given)
	return append(append(out, unreadable(err)...), report.Managed(managed)...)
}

// unreadable is files of others that cannot be read: no reason to stop, and what they
// would tell is not known.
func unreadable(err error) []document.Message {
	if err == nil {
		return nil
	}
	return []document.Message{{Message: err.Error()}}
}
