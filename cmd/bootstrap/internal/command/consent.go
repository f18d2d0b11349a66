package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops"
)

// consent makes sure that somebody wants the host to be given back. It returns what that
// will do, as far as the record tells.
func (s *session) consent(ctx context.Context, h *hostops.Host, d downFlags) (report.Given, error) {
	r, given, err := foreseen(ctx, h)
	if d.adopt && recordIsLost(err) {
		err = nil // and that is known
	}
	if err != nil || d.yes || r.Len() == 0 && !d.adopt {
		return given, err
	}
	if !s.env.Terminal.In {
		return given, exit.BadUsage("down changes this host, and there is no terminal to ask on",
			"look first with --dry-run, then run it with --yes")
	}
	if !s.quiet {
		v := s.view((&opened{Host: h}).profiles())
		v.Painter = s.painter(s.env.Terminal.Err)
		fmt.Fprintln(s.env.Stderr, report.Question(v, &r, given))
	}
	return given, s.ask(ctx)
}

// ask lets the person type the name of the host: a yes is typed too easily on the wrong
// one.
func (s *session) ask(ctx context.Context) error {
	fmt.Fprintf(s.env.Stderr, "Type the host name (%s) to go on: ", s.host)
	line, err := readLine(ctx, s.env.Stdin)
	if err != nil {
		return err
	}
	if strings.TrimSpace(line) == s.host {
		s.started = s.env.Now() // a run does not take longer because a person thinks
		return nil
	}
	return &exit.Failure{
		Code: exit.Refused, Reason: "Declined",
		Message: "that is not the name of this host: nothing was changed", Fix: "to go on without a question: --yes",
	}
}

// readLine reads one line, or gives up with ctx: a read from a terminal cannot be
// interrupted, so that the reader is left behind then.
func readLine(ctx context.Context, r io.Reader) (string, error) {
	type answered struct {
		line string
		err  error
	}
	done := make(chan answered, 1)
	go func() {
		line, err := bufio.NewReader(r).ReadString('\n')
		if errors.Is(err, io.EOF) {
			err = nil
		}
		done <- answered{line, err}
	}()
	select {
	case a := <-done:
		return a.line, a.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
