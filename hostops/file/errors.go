package file

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The reasons that this package gives.
const (
	UnexpectedFile   item.Reason = "UnexpectedFile"
	ReadOnlyEtc      item.Reason = "ReadOnlyEtc"
	DiskFull         item.Reason = "DiskFull"
	NotDurable       item.Reason = "NotDurable"
	PermissionDenied item.Reason = "PermissionDenied"
)

// unexpected names what stands where a plain file should.
func unexpected(path string, mode fs.FileMode) error {
	return &item.Error{
		Reason:  UnexpectedFile,
		Message: fmt.Sprintf("%s is %s, not a plain file, and is left alone", path, kind(mode)),
		Fix:     "move " + path + " away",
		File:    path,
		Err:     machine.ErrNotRegular,
	}
}

func kind(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeDir:
		return "a directory"
	case fs.ModeNamedPipe, fs.ModeSocket:
		return "a pipe or socket"
	case 0:
		return "a file with other names or mounted over"
	default:
		return "a device"
	}
}

// explain says what a failed change of a file means.
func (o *Operation) explain(name string, err error) error {
	e := &item.Error{File: name, Err: err}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, machine.ErrNotRegular):
		return o.explainNotRegular(name)
	case errors.Is(err, machine.ErrNotDurable): // whatever the cause: it is not as it was
		e.Reason, e.Message = NotDurable, fmt.Sprintf("%s is changed, but a power cut may take that back: %s", name, machine.Cause(err))
	case errors.Is(err, machine.ErrReadOnly):
		e.Reason, e.Message = ReadOnlyEtc, fmt.Sprintf("%s is on a read-only file system", name)
	case errors.Is(err, machine.ErrNoSpace):
		e.Reason, e.Message = DiskFull, fmt.Sprintf("%s is as it was: %s", name, machine.Cause(err))
		e.Fix = "df -h " + path.Dir(name)
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Message = PermissionDenied, fmt.Sprintf("%s cannot be written: %v", name, err)
	default:
		return fmt.Errorf("write %s: %w", name, err)
	}
	return e
}

func (o *Operation) explainNotRegular(name string) error {
	info, err := o.m.Files.Lstat(name)
	if err != nil {
		return fmt.Errorf("look at %s: %w", name, err)
	}
	return unexpected(name, info.Mode())
}
