package command

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
)

const gateLong = `gate ends with 0 if kubelet may start: all that is required on this host held once in this
boot, the host was given back by 'bootstrap down', or somebody has switched
hostprofile.service off. Else it waits a little for that, and ends with 1 and a line that
names what is missing. The units of kubelets run it first.

The wait keeps a kubelet whose unit restarts it at once from being given up by systemd
after five failures in ten seconds, and lets it start in the moment in which it may.`

// gateWait is more than ten seconds, in which systemd counts failed starts, through five,
// and far less than the time in which a unit has to start.
const gateWait = 10 * time.Second

func (s *session) gateCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use: "gate", Short: "May kubelet start on this host?",
		Hidden: true, Long: gateLong, Args: noArguments,
		RunE: s.do("gate", func(ctx context.Context, _ []string) (*answer, error) { return s.gate(ctx, wait) }),
	}
	cmd.Flags().DurationVar(&wait, "wait", gateWait, "a `DURATION` to wait for a gate that is closed")
	return cmd
}

func (s *session) gate(ctx context.Context, wait time.Duration) (*answer, error) {
	h, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	g, err := h.AwaitGate(ctx, wait)
	if err != nil {
		return nil, err
	}
	a := &answer{document: document.New(document.Report, "gate", s.host)}
	if !g.Open {
		a.document.Fail(&exit.Failure{Code: exit.Failed, Reason: "NotReady", Message: g.Message})
		a.text = g.Message + "\n" // one line, for the journal of the kubelet
	}
	return a, nil
}
