package exit

import (
	"context"
	"errors"
	"io/fs"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// Failure is why the program does not end with OK, in words for the person who reads
// them, and what helps.
type Failure struct {
	Code    Code
	Reason  string // one word for programs; empty if there is none
	Message string
	Fix     string
	// Input are the mistakes of the input, if that is what is wrong.
	Input profile.InputErrors
	Err   error // the cause, if it says more
}

func (f *Failure) Error() string { return f.Message }
func (f *Failure) Unwrap() error { return f.Err }

// Of says how an error ends the program. It is nil for no error. asRoot tells a missing
// right that root would have from one that root lacks too.
func Of(err error, asRoot bool) *Failure {
	var f *Failure
	var input profile.InputErrors
	var busy *machine.BusyError
	var refused *hostops.RefusedError
	var conflict *hostops.ConflictError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return interrupted(err)
	case errors.As(err, &input):
		return &Failure{Code: Usage, Message: "invalid input", Input: input, Err: err}
	case errors.As(err, &busy):
		return held(busy)
	case errors.Is(err, hostops.ErrOvertaken):
		return &Failure{Code: Busy, Reason: "Busy", Message: err.Error(), Fix: "bootstrap status; run it again if that is not what you want", Err: err}
	case errors.Is(err, fs.ErrPermission) && !asRoot:
		return denied(err)
	case errors.As(err, &conflict):
		return &Failure{Code: Usage, Reason: string(v1alpha1.ReasonConflict), Message: err.Error(), Fix: "give one of the profiles a higher spec.priority", Err: err}
	case errors.As(err, &refused):
		return &Failure{Code: Refused, Reason: string(refused.Reason), Message: err.Error(), Fix: refused.Fix, Err: err}
	default:
		return &Failure{Code: Failed, Message: err.Error(), Err: err}
	}
}

func interrupted(err error) *Failure {
	return &Failure{
		Code: Interrupted, Reason: "Interrupted", Err: err,
		Message: "interrupted; what was begun is recorded",
		Fix:     "run it again to go on",
	}
}

func held(busy *machine.BusyError) *Failure {
	return &Failure{
		Code: Busy, Reason: "Busy", Err: busy,
		Message: "another run holds the lock of this host: " + busy.Holder,
		Fix:     "wait for it to end, or wait longer with --lock-timeout 10m",
	}
}

func denied(err error) *Failure {
	what := "this"
	var path *fs.PathError
	if errors.As(err, &path) {
		what = path.Path
	}
	return &Failure{
		Code: NotRoot, Reason: "NotRoot", Err: err,
		Message: "only root may read " + what,
		Fix:     "run it with sudo",
	}
}

// BadUsage returns the failure of a command line that cannot be understood.
func BadUsage(message, fix string) *Failure {
	return &Failure{Code: Usage, Reason: "Usage", Message: message, Fix: fix}
}
