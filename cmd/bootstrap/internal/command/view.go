package command

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops"
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

// warnings are about files of others that are against the profiles. Files that cannot be
// read are no reason to stop: what they would tell is a warning.
func (o *opened) warnings() (overrides []hostops.Override, warnings []document.Message) {
	overrides, err := o.Overrides(o.given)
	if err != nil {
		return nil, []document.Message{{Message: err.Error()}}
	}
	return overrides, report.Overridden(overrides)
}
