package dir

import (
	"context"
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

// Operation serves the directories of one host.
type Operation struct{ m *machine.Machine }

// New returns the operation for a host.
func New(m *machine.Machine) *Operation { return &Operation{m: m} }

// Key returns the item of an absolute path.
func Key(path string) item.Key { return item.NewKey(item.Dir, path) }

// State returns the state of a directory that belongs to root.
func State(mode fs.FileMode) item.State { return state(mode, machine.Owner{}) }

func state(mode fs.FileMode, o machine.Owner) item.State {
	return item.Text(fmt.Sprintf("%04o %d:%d", mode.Perm(), o.UID, o.GID))
}

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Dir }

// Traits implements item.Operation.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Nested: true}
}

// Observe implements item.Operation. A directory reads as "0755 0:0": permission bits,
// user and group.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	info, err := o.stat(k.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return item.Absent, nil
	case err != nil:
		return item.Unknown, err
	case !info.IsDir():
		return item.Unknown, &item.Error{
			Reason:  UnexpectedFile,
			Message: fmt.Sprintf("%s is there and is no directory", k.Path()),
			Fix:     "move " + k.Path() + " away",
			File:    k.Path(),
		}
	}
	owner, _ := info.Sys().(machine.Owner)
	return state(info.Mode(), owner), nil
}

// maxLinks bounds a chain of links, as the kernel does.
const maxLinks = 40

// stat describes what path leads to.
func (o *Operation) stat(name string) (fs.FileInfo, error) {
	at := name
	for range maxLinks {
		info, err := o.m.Files.Lstat(at)
		if errors.Is(err, fs.ErrNotExist) && at != name {
			return nil, &item.Error{Reason: UnexpectedFile, Message: fmt.Sprintf("%s is a link to %s, which is not there", name, at), File: name}
		}
		if err != nil || info.Mode().Type() != fs.ModeSymlink {
			return info, err
		}
		target, err := o.m.Files.Readlink(at)
		if err != nil {
			return nil, fmt.Errorf("read link %s: %w", at, err)
		}
		if !path.IsAbs(target) {
			target = path.Join(path.Dir(at), target)
		}
		at = path.Clean(target)
	}
	return nil, fmt.Errorf("%s: too many links", name)
}

// Settle implements item.Settler. Where the parent is gone, so is what had to be made
// durable.
func (o *Operation) Settle(_ context.Context, k item.Key) error {
	err := o.m.Files.Settle(k.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(k.Path(), err)
}

// Apply implements item.Operation. Going back to Absent removes the directory if it is
// empty; one that is not matches item.ErrLeave and stays with what is in it.
func (o *Operation) Apply(_ context.Context, k item.Key, from, to item.State) error {
	name := k.Path()
	if to == item.Absent {
		return explain(name, o.remove(name))
	}
	mode, owner, err := parse(to)
	if err != nil {
		return fmt.Errorf("directory %s: %w", name, err)
	}
	if from.Present() {
		return explain(name, o.chmod(name, mode, owner, from))
	}
	if owner != (machine.Owner{}) {
		return fmt.Errorf("directory %s: only root's directories are made", name)
	}
	return explain(name, o.m.Files.Mkdir(name, mode))
}

func (o *Operation) remove(name string) error {
	err := o.m.Files.Rmdir(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (o *Operation) chmod(name string, mode fs.FileMode, owner machine.Owner, from item.State) error {
	if _, is, err := parse(from); err != nil || is != owner {
		return fmt.Errorf("it belongs to %d:%d, and owners are not changed", is.UID, is.GID)
	}
	return o.m.Files.Chmod(name, mode)
}

func parse(s item.State) (mode fs.FileMode, owner machine.Owner, err error) {
	if _, err = fmt.Sscanf(s.Text(), "%o %d:%d", &mode, &owner.UID, &owner.GID); err != nil {
		err = fmt.Errorf("%q is no state of a directory", s)
	}
	return mode.Perm(), owner, err
}

func explain(name string, err error) error {
	e := &item.Error{File: name, Err: err}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, machine.ErrNotEmpty):
		e.Message, e.Err = fmt.Sprintf("left: %s is not empty", name), errors.Join(item.ErrLeave, err)
	case errors.Is(err, machine.ErrNotDurable): // whatever the cause: it is changed
		e.Reason, e.Message = NotDurable, fmt.Sprintf("%s is changed, but a power cut may take that back: %s", name, machine.Cause(err))
	case errors.Is(err, machine.ErrReadOnly):
		e.Reason, e.Message = ReadOnlyEtc, fmt.Sprintf("%s is on a read-only file system", name)
	case errors.Is(err, machine.ErrNoSpace):
		e.Reason, e.Message = DiskFull, fmt.Sprintf("%s is as it was: %s", name, machine.Cause(err))
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Message = PermissionDenied, fmt.Sprintf("%s cannot be changed: %v", name, err)
	default:
		return fmt.Errorf("directory %s: %w", name, err)
	}
	return e
}
