package item

import "errors"

// ErrLeave, wrapped in the error of Apply, says that the state of before us cannot or
// must not come back (a directory that others filled, a swap file that nothing names any
// more): the record is released and the host left as it is.
var ErrLeave = errors.New("left as it is")

// Reason is a machine-readable word for an outcome, in CamelCase, such as
// "KeyNotFound". api/v1alpha1 spells and explains every one.
type Reason string

// Error is the failure of one item.
type Error struct {
	Reason  Reason
	Message string // a sentence, without the key
	Fix     string // the command or step that helps, if one is known
	File    string // the host's file that is the cause, if one is
	Line    int
	Final   bool  // this host, as it is, cannot come to the wanted state
	Err     error // the cause, for errors.Is
}

func (e *Error) Error() string { return e.Message }
func (e *Error) Unwrap() error { return e.Err }
