package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Operation serves the files of one host.
type Operation struct{ m *machine.Machine }

// New returns the operation for a host.
func New(m *machine.Machine) *Operation { return &Operation{m: m} }

// Key returns the item of an absolute path.
func Key(path string) item.Key { return item.NewKey(item.File, path) }

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.File }

// Traits implements item.Operation: a file outlives the boot, and no boot file sets it.
func (o *Operation) Traits(item.Key) item.Traits { return item.Traits{Store: item.Durable} }

// Observe implements item.Operation. The state is item.FileState.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	path := k.Path()
	info, err := o.m.Files.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return item.Absent, nil
	}
	if err != nil {
		return item.Unknown, fmt.Errorf("look at %s: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return item.Unknown, unexpected(path, info.Mode())
	}
	content, err := o.m.Files.Read(path)
	if err != nil {
		return item.Unknown, fmt.Errorf("read %s: %w", path, err)
	}
	return item.FileState(info.Mode(), content), nil
}

// Settle implements item.Settler.
func (o *Operation) Settle(_ context.Context, k item.Key) error {
	return o.explain(k.Path(), missingIsFine(o.m.Files.Settle(k.Path())))
}

// missingIsFine: where the folder is gone, so is what had to be made durable.
func missingIsFine(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Apply implements item.Operation: the file is replaced, created or removed. Removing
// one that is gone already is no error.
func (o *Operation) Apply(_ context.Context, k item.Key, _, to item.State) error {
	path := k.Path()
	if to == item.Absent {
		if err := o.m.Files.Remove(path); !errors.Is(err, fs.ErrNotExist) {
			return o.explain(path, err)
		}
		return nil
	}
	mode, content, err := to.FileContent()
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return o.explain(path, o.m.Files.Write(path, content, mode))
}
