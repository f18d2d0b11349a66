package command

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// soon is how long a run may take before it says what it is doing.
const soon = time.Second

// stageProgress is who is told the stages of a run.
func (s *session) stageProgress() func(stage string) {
	if s.entered != nil {
		return s.entered
	}
	return s.progress()
}

// progress names the stage on a terminal once a run takes longer than people like to
// wait without a word. Elsewhere it is nil.
func (s *session) progress() func(stage string) {
	if !s.env.Terminal.Err || s.quiet {
		return nil
	}
	p := &progress{out: s.env.Stderr}
	s.hush = time.AfterFunc(soon, p.speak).Stop
	return p.enter
}

// progress is the stage that runs, and whether it is time to say so.
type progress struct {
	mu    sync.Mutex
	out   io.Writer
	stage string
	loud  bool
}

// enter begins a stage.
func (p *progress) enter(stage string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stage = stage
	p.say()
}

// speak is called when the patience is over.
func (p *progress) speak() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loud = true
	p.say()
}

func (p *progress) say() {
	if p.loud && p.stage != "" {
		fmt.Fprintf(p.out, "%s ...\n", p.stage)
	}
}
