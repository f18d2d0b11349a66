package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The reasons that this package gives.
const (
	UnexpectedFile       item.Reason = "UnexpectedFile"
	UnexpectedFilesystem item.Reason = "UnexpectedFilesystem"
	ReadOnlyEtc          item.Reason = "ReadOnlyEtc"
	DiskFull             item.Reason = "DiskFull"
	NotDurable           item.Reason = "NotDurable"
	PermissionDenied     item.Reason = "PermissionDenied"
)

func noDirectory(at string) error {
	return &item.Error{
		Reason: UnexpectedFile, File: at,
		Message: at + " is there and is no directory",
		Fix:     "move " + at + " away",
	}
}

func distrusted(link, why string) error {
	return &item.Error{
		Reason: UnexpectedFile, File: link,
		Message: fmt.Sprintf("%s is a link that is not followed: it %s", link, why),
		Fix:     "put a directory in its place, or a link of root's in a directory of root's",
	}
}

// explain says why a directory could not be changed.
func explain(at string, err error) error {
	e := &item.Error{File: at, Err: err}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, machine.ErrBusy):
		e.Reason, e.Message = UnexpectedFilesystem, fmt.Sprintf("something is mounted on %s, so that it is not removed", at)
		e.Fix = "umount " + at + ", then run it again"
	case errors.Is(err, machine.ErrNotDurable): // whatever the cause: it is changed
		e.Reason, e.Message = NotDurable, fmt.Sprintf("%s is changed, but a power cut may take that back: %s", at, machine.Cause(err))
	case errors.Is(err, machine.ErrReadOnly):
		e.Reason, e.Message = ReadOnlyEtc, fmt.Sprintf("%s is on a read-only file system", at)
	case errors.Is(err, machine.ErrNoSpace):
		e.Reason, e.Message = DiskFull, fmt.Sprintf("%s is as it was: %s", at, machine.Cause(err))
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Message = PermissionDenied, fmt.Sprintf("%s cannot be changed: %v", at, err)
	default:
		return fmt.Errorf("directory %s: %w", at, err)
	}
	return e
}

// shown is how much of a directory is named.
const shown = 3

// explainRemoval says why a directory stays. What is in it somebody may look for later:
// the configuration of an old network plugin, for one.
func (o *Operation) explainRemoval(at string, err error) error {
	if !errors.Is(err, machine.ErrNotEmpty) {
		return explain(at, err)
	}
	e := &item.Error{File: at, Message: fmt.Sprintf("left: %s is not empty", at), Err: errors.Join(item.ErrLeave, err)}
	names, _ := o.m.Files.ReadDir(at)
	switch n := len(names); {
	case n > shown:
		e.Message += fmt.Sprintf(": %s and %d more, not ours", strings.Join(names[:shown], ", "), n-shown)
	case n > 0:
		e.Message += fmt.Sprintf(": %s, not ours", strings.Join(names, ", "))
	}
	return e
}
