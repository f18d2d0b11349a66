package report

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

// Class is what a result means to the person who asked.
type Class int

// The classes.
const (
	Right   Class = iota // as wanted; nothing was, or will be, written to the host
	Change               // written, or to be written
	Return               // given back, or to be given back
	Left                 // somebody changed it since: left as found
	Skipped              // not there, and that is fine
	Waiting              // waits for something that may come, such as an interface
	Unknown              // not known before the run
	Held                 // kept by its profile
	Warning              // holds now, or nobody requires it
	Failure              // wanted, and does not or would not hold
)

// ClassOf says what a result means. An unseen item is unknown only if nothing says why;
// with a reason, the run would not reach it either.
func ClassOf(r *item.Result) Class {
	switch r.Outcome {
	case item.Failed, item.Unseen:
		return unreached(r)
	case item.Changed:
		return Change
	case item.Restored, item.Released:
		return returned(r)
	case item.Left:
		return left(r)
	case item.Skipped:
		return Skipped
	case item.Kept:
		return Held
	default:
		return Right
	}
}

// returned is what is given back. With its interface a setting is gone, and its record with it:
// nobody's host is another one by that.
func returned(r *item.Result) Class {
	if r.Key.Kind() == item.Sysctl && r.Have == item.Absent {
		return Skipped
	}
	return Return
}

func left(r *item.Result) Class {
	switch {
	case !r.Have.Known():
		return Waiting // until it can be seen, its record is kept
	case (r.Key.Kind() == item.Module || r.Key.Kind() == item.Mount || r.Key == selinux.Labels) && r.Have.Present():
		return Return // what is never undone while the boot lasts: its record is what is given back
	default:
		return Left
	}
}

func unreached(r *item.Result) Class {
	info, known := v1alpha1.LookUpReason(v1alpha1.Reason(r.Reason))
	switch {
	case known && info.Severity == v1alpha1.SeverityFine:
		return Waiting
	case known && info.Severity == v1alpha1.SeverityWarning:
		return Warning
	case r.Outcome == item.Failed:
		return Failure
	case foreseen(r):
		return Unknown
	case !r.Required:
		return Warning
	default:
		return Failure
	}
}

// foreseen reports whether a dry run knows what will make the item visible.
func foreseen(r *item.Result) bool { return r.Reason == "" && r.Message != "" }

// scaffold reports whether a result is about a file that we write for the next boot, or
// its folder, and not about a setting that somebody wished.
func scaffold(r *item.Result) bool {
	switch r.Key.Kind() {
	case item.File, item.Program:
		return true
	case item.Dir:
		return r.Source.Profile == "" && !r.Before.Present()
	case item.Firewalld:
		return firewalld.IsZoneFile(r.Key)
	default:
		return false
	}
}
