package hostops

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// RefusedError says why a run was refused. The host is untouched.
type RefusedError struct {
	Reason item.Reason
	Fix    string // the command that helps
	Err    error
}

func (e *RefusedError) Error() string { return e.Err.Error() }
func (e *RefusedError) Unwrap() error { return e.Err }

// ErrNotManaged: nothing was ever accepted on this host, so there is nothing to apply
// again or to report.
var ErrNotManaged = errors.New("nothing is managed on this host")

// ErrOwnRoot: the host that runs was named as one that does not, whose files nobody else is
// supposed to write and whose settings are not looked at.
var ErrOwnRoot = errors.New("it is the host that bootstrap runs on, and not one that does not run")

// ConflictError says which settings the given profiles want differently at one
// priority. The host is untouched.
type ConflictError struct{ Conflicts []profile.Conflict }

func (e *ConflictError) Error() string {
	lines := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		wants := make([]string, len(c.Profiles))
		for j, p := range c.Profiles {
			wants[j] = fmt.Sprintf("%s wants %s", p, c.Values[j])
		}
		lines[i] = fmt.Sprintf("%s: %s, both at priority %d", c.Key, strings.Join(wants, " and "), c.Priority)
	}
	return strings.Join(lines, "\n")
}

// refuse turns what is wrong with the ledger into a refusal that says what to do.
func refuse(err error) error {
	const adopt = "bootstrap up --adopt"
	switch {
	case errors.Is(err, ledger.ErrNewer):
		return &RefusedError{Reason: item.Reason(v1alpha1.ReasonLedgerNewer), Fix: "install the version of bootstrap that wrote it", Err: err}
	case errors.Is(err, ledger.ErrUnreadable), errors.Is(err, ledger.ErrLost):
		return &RefusedError{Reason: item.Reason(v1alpha1.ReasonLedgerUnreadable), Fix: adopt, Err: err}
	default:
		return err
	}
}
