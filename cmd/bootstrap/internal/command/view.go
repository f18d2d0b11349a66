package command

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
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
