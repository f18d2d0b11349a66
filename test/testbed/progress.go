package testbed

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress tells a person what takes so long.
type progress struct {
	w    io.Writer
	name string
}

// progressWriter is where progress goes when the caller does not say.
func progressWriter(w io.Writer) io.Writer {
	if w == nil {
		return os.Stderr
	}
	return w
}

func (p progress) named(name string) progress { return progress{w: p.w, name: name} }

// say prints one line.
func (p progress) say(what string) {
	fmt.Fprintf(p.w, "%s: %s\n", p.name, what)
}

// step prints what is done before doing it, and afterwards how long it took.
func (p progress) step(what string, do func() error) error {
	fmt.Fprintf(p.w, "%s: %s ... ", p.name, what)
	start := time.Now()
	err := do()
	verdict := ""
	if err != nil {
		verdict = " (failed)"
	}
	fmt.Fprintf(p.w, "%.0fs%s\n", time.Since(start).Seconds(), verdict)
	return err
}
