package command

import (
	"io"
	"time"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/service"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Environment is the process that a run of the program has around it.
type Environment struct {
	Args           []string // without the name of the program
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Terminal says which of the three are one.
	Terminal Terminals
	Getenv   func(string) string
	Now      func() time.Time
	Root     bool // runs as the superuser
	PID      int
	Version  string // as the linker was told; may be empty
	// Service is how a run that stays is heard.
	Service service.Voice
	// Machine replaces the real host. For tests.
	Machine *machine.Machine
}

// Terminals says which standard streams are a terminal.
type Terminals struct{ In, Out, Err bool }

// painter colours one of the output streams, if it is a terminal and nobody minds.
func (s *session) painter(terminal bool) layout.Painter {
	plain := s.noColour || s.env.Getenv("NO_COLOR") != "" || s.env.Getenv("TERM") == "dumb"
	return layout.Painter(terminal && !plain)
}
