package engine

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// results tells the stage's items, in the order of writing. Items that are nobody's
// wish and nobody's record are not told.
func (r *run) results(dry bool) []item.Result {
	out := make([]item.Result, 0, len(r.order)+1)
	if res, ok := r.bootResult(); ok {
		out = append(out, res)
	}
	for _, c := range r.order {
		if c.Want != nil || c.Stored {
			out = append(out, c.result(dry))
		}
	}
	return out
}

func (c *change) result(dry bool) item.Result {
	res := item.Result{Key: c.Key, Have: c.Got, Now: c.now(dry), Drift: c.Drift}
	if c.Want != nil {
		res.Want, res.Compare = c.Want.State, c.Want.Compare
		res.Required, res.Source = c.Want.Required, c.Want.Source
	}
	if c.ahead != nil {
		res.Before = c.ahead.Before
	} else if c.Entry != nil {
		res.Before = c.Entry.Before
	}
	res.Outcome = c.outcome(dry)
	explain(&res, c.err)
	c.explainUnread(&res)
	c.explainKernel(&res)
	return res
}

func (c *change) now(dry bool) item.State {
	if dry || !c.tried {
		return c.Got
	}
	return c.back.State
}

// outcome says what became of the item; in a dry run, what would.
func (c *change) outcome(dry bool) item.Outcome {
	if c.Verb == item.Restore && errors.Is(c.err, item.ErrLeave) {
		return item.Left
	}
	if c.Verb.Writes() && !dry && (c.err != nil || c.back.State != c.To) {
		if c.Verb == item.Set && c.skips() {
			return item.Skipped
		}
		return item.Failed
	}
	switch c.Verb {
	case item.Set, item.Prepare:
		return item.Changed
	case item.Restore:
		if c.leftAsFound() {
			return item.Left
		}
		return item.Restored
	case item.Adopt:
		return item.Adopted
	case item.Release:
		return c.released()
	case item.Blocked:
		return c.blocked()
	case item.None, item.PutBack:
		if c.Held && c.skips() {
			return item.Skipped // nothing to apply it to
		}
		if c.Held && c.err != nil {
			return item.Failed // blocked: nothing is written, and the wish does not hold
		}
		if c.Held {
			return item.Kept
		}
		if c.Clamped || c.Drift {
			return item.Failed
		}
	}
	return item.Right
}

func (c *change) released() item.Outcome {
	switch {
	case c.Want != nil:
		return item.Right
	case c.leftAsFound() && c.Got.Known():
		return item.Left
	default:
		return item.Released
	}
}

// blocked: the item cannot be seen. A wish that may be skipped is skipped only if the
// item does not exist.
func (c *change) blocked() item.Outcome {
	if c.skips() {
		return item.Skipped
	}
	if c.Want == nil {
		return item.Left
	}
	if e, ok := errors.AsType[*item.Error](c.err); ok && e.Final {
		return item.Failed
	}
	return item.Unseen
}

// skips reports whether the item does not exist, and the profile said that this is fine.
// Of a module only the kernel knows, when it is to be loaded.
func (c *change) skips() bool {
	return c.Want != nil && c.Want.SkipMissing && errors.Is(c.err, fs.ErrNotExist)
}

// explain puts the reason of an error into the result.
func explain(res *item.Result, err error) {
	if err == nil {
		return
	}
	res.Message = err.Error()
	var e *item.Error
	if errors.As(err, &e) {
		res.Reason, res.Fix, res.File, res.Line = e.Reason, e.Fix, e.File, e.Line
	}
}

// explainUnread tells why it is not known what came of a write.
func (c *change) explainUnread(res *item.Result) {
	if res.Outcome == item.Failed && c.err == nil && c.unread != nil {
		explain(res, c.unread)
		res.Message = "written, but cannot be read back: " + res.Message
	}
}

// explainKernel tells a value that the kernel made something else of.
func (c *change) explainKernel(res *item.Result) {
	if res.Outcome != item.Failed || c.err != nil || c.unread != nil {
		return
	}
	if c.Drift && c.Verb != item.Set {
		res.Reason, res.Message = "Drifted", "changed by somebody else, and not to be repaired"
		return
	}
	if c.Clamped || c.back.Stable {
		res.Reason = "Clamped"
		res.Message = fmt.Sprintf("the kernel makes %s of %s", res.Now, c.To)
		return
	}
	res.Reason = "ReadBackMismatch"
	res.Message = fmt.Sprintf("reads %s after %s was written: somebody else writes it too", res.Now, c.To)
}

// bootResult tells the boot file, if there is anything to tell.
func (r *run) bootResult() (item.Result, bool) {
	b := &r.boot
	if b.op == nil || b.failed == nil && b.verb == item.None {
		return item.Result{}, false
	}
	res := item.Result{Key: r.stage.Boot.Key(), Have: digest(b.found), Want: digest(b.want), Now: digest(b.disk), Drift: b.drift}
	switch {
	case b.failed != nil:
		res.Outcome = item.Failed
	case b.verb == item.Set && b.want.Present():
		res.Outcome = item.Changed
	case b.verb == item.Set:
		res.Outcome = item.Restored
	case b.verb == item.Release && b.found.Present():
		res.Outcome = item.Left
	case b.verb == item.Release:
		res.Outcome = item.Released
	default:
		res.Outcome = item.Right
	}
	explain(&res, b.failed)
	return res, true
}
