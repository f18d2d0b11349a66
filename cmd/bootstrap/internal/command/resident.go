package command

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/hostops/resident"
)

const runLong = `run brings this host to what was last accepted on it, and stays to repair what others
change: the input of the last 'bootstrap up', and the profiles that the agent of the
cluster accepted. It asks no API server. hostprofile.service runs it, before kubelet.

It does not end because a setting fails. It says what is missing, to systemd and on the
console, and tries again. It is ready, and lets kubelet start, when all that is required
held once in this boot. While an agent keeps the host, it changes nothing; nor does it after
'bootstrap down'. A signal ends it at once, and nothing is given back.`

// residentPatience is how long the resident waits for another run. It holds the agent's
// lock meanwhile.
const residentPatience = 5 * time.Second

func (s *session) residentCommand() *cobra.Command {
	return &cobra.Command{
		Use: "run", Short: "Keep this host as it was last accepted, until a signal ends it",
		Hidden: true, Long: runLong, Args: noArguments,
		RunE: s.do("run", func(ctx context.Context, _ []string) (*answer, error) { return s.reside(ctx) }),
	}
}

func (s *session) reside(ctx context.Context) (*answer, error) {
	if err := s.mustBeRoot(); err != nil {
		return nil, err
	}
	debug.SetGCPercent(100) // this run is not over soon
	s.lockTimeout = residentPatience
	var r *resident.Resident
	s.entered = func(stage string) { r.Enter(stage) }
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	voice := s.env.Service
	r = resident.New(resident.Options{Host: h, Log: slog.New(voice.Log), Notify: voice.Notify, Console: voice.Console})
	if err := r.Run(ctx); err != nil {
		return nil, err
	}
	return &answer{document: document.New(document.Report, "run", s.host)}, nil
}
