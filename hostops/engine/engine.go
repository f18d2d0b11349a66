package engine

import (
	"context"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// Stage is a group of items that are recorded and written together.
type Stage struct {
	Name string
	// Operations serve the items of their kinds.
	Operations []item.Operation
	// Owns tells the items of this stage from those of another that has the same
	// kind. Nil: every item of the operations' kinds.
	Owns func(item.Key) bool
	// Boot is the stage's boot file, nil if it has none. One of Operations serves it.
	Boot item.BootFile
	// Seen is called once the stage has looked at its items for the last time, for what can go
	// on beside their record. May be nil.
	Seen func()
	// Over is called after the stage, for what can go on beside the ones after it. May be nil.
	Over func()
}

// Serves reports whether an item belongs to the stage.
func (s *Stage) Serves(k item.Key) bool { return s.operation(k) != nil }

// operation returns the operation that serves k in this stage, nil if none does.
func (s *Stage) operation(k item.Key) item.Operation {
	if s.Owns != nil && !s.Owns(k) {
		return nil
	}
	for _, op := range s.Operations {
		if op.Kind() == k.Kind() {
			return op
		}
	}
	return nil
}

// Engine runs stages over one host and its ledger. It is used by one goroutine.
type Engine struct {
	Stages []Stage
	Ledger *ledger.Ledger
	// Unlocked runs a slow write without the run lock, takes the lock again and reads the
	// ledger again. An error means that the run may write nothing any more. Nil: the write
	// is run as it is.
	Unlocked func(ctx context.Context, slow func()) error
	// Progress is told the name of each stage as it begins. May be nil.
	Progress func(stage string)

	overtaken error // what ended the right to write
}

// Options of a run.
type Options struct {
	DryRun bool
	// Reverse gives everything back: stages last to first, and the record of an item
	// that does not exist any more is released without having been seen.
	Reverse bool
}

// Run brings the host to what is desired. An item that fails is in the report; the
// error means that the run itself had to stop, with the report of what was done.
func (e *Engine) Run(ctx context.Context, want item.Desired, o Options) (item.Report, error) {
	report := item.Report{DryRun: o.DryRun}
	for i := range e.Stages {
		stage := &e.Stages[i]
		if o.Reverse {
			stage = &e.Stages[len(e.Stages)-1-i]
		}
		if err := ctx.Err(); err != nil {
			return report, err
		}
		if e.Progress != nil {
			e.Progress(stage.Name)
		}
		results, err := e.runStage(ctx, stage, want, o)
		report.Stages = append(report.Stages, item.StageReport{Stage: stage.Name, Results: results, Err: err})
		if stage.Over != nil {
			stage.Over()
		}
		if e.overtaken != nil {
			return report, e.overtaken
		}
	}
	return report, ctx.Err()
}

// runStage is one stage from observation to report. Its error means that nothing of
// the stage was written to the host, or that what came of it could not be recorded.
func (e *Engine) runStage(ctx context.Context, s *Stage, want item.Desired, o Options) ([]item.Result, error) {
	r := &run{engine: e, stage: s, final: o.Reverse}
	if err := r.gather(ctx, want); err != nil {
		return nil, err
	}
	if err := r.couple(ctx); err != nil {
		return nil, err
	}
	r.planBoot()
	if o.DryRun {
		return r.results(true), nil
	}
	if err := r.writeAhead(); err != nil {
		return r.results(true), err
	}
	r.writeBoot(ctx)
	r.writeLive(ctx)
	r.readBack(ctx)
	if s.Seen != nil {
		s.Seen()
	}
	if e.overtaken != nil {
		return r.results(false), e.overtaken
	}
	err := r.settle()
	return r.results(false), err
}
