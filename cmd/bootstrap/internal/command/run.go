package command

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
)

// answer is what a command has to say: to programs, with the exit code, and to people.
type answer struct {
	document document.Document
	text     string
}

// Run runs the program once and returns its exit code. It ends soon after ctx does, but
// never in the middle of a stage.
func Run(ctx context.Context, env Environment) exit.Code {
	s := &session{env: env, started: env.Now()}
	root := s.tree()
	cmd, err := root.ExecuteContextC(ctx)
	if err != nil {
		if s.command == "" {
			s.command = strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath(), root.Name()), " ")
		}
		s.err = usage(cmd.CommandPath(), err)
		s.format = guessFormat(env.Args)
	} else if s.command == "" {
		return exit.OK // help, or completion
	}
	return s.finish()
}

// finish writes the answer, once, and says how the program ends.
func (s *session) finish() exit.Code {
	if s.hush != nil {
		s.hush()
	}
	a := s.answer
	failure := exit.Of(s.err, s.env.Root)
	if a == nil {
		a = &answer{document: document.New(document.Error, s.command, s.host)}
		if failure != nil && failure.Code == exit.Interrupted {
			failure.Message = "interrupted before the first stage"
		}
	}
	if failure != nil {
		a.document.Fail(failure)
	}
	var err error
	if s.format == document.Text {
		_, err = io.WriteString(s.env.Stdout, a.text)
		s.complain(failure)
	} else {
		err = a.document.Write(s.env.Stdout, s.format)
	}
	if err != nil {
		s.complain(&exit.Failure{Message: "write the result: " + err.Error()})
		return max(a.document.ExitCode, exit.Failed)
	}
	return a.document.ExitCode
}

// complain tells people why the program fails.
func (s *session) complain(f *exit.Failure) {
	if f == nil {
		return
	}
	if len(f.Input) > 0 {
		_ = f.Input.WriteText(s.env.Stderr)
		return
	}
	p := s.painter(s.env.Terminal.Err)
	text := p.Titled(layout.Bad, "error", f.Message)
	if f.Fix != "" {
		text += "  " + layout.Paragraph(f.Fix, 2)
	}
	fmt.Fprint(s.env.Stderr, text)
}
