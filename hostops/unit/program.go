package unit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Programs installs copies of the program that runs.
type Programs struct{ m *machine.Machine }

// NewPrograms returns the operation for a host.
func NewPrograms(m *machine.Machine) *Programs { return &Programs{m: m} }

// ProgramKey returns the item of the program at a path.
func ProgramKey(path string) item.Key { return item.NewKey(item.Program, path) }

// ProgramState returns the state of a program by its digest: the file is too large to be
// recorded.
func ProgramState(digest string) item.State { return programState(machine.ProgramMode, digest) }

func programState(mode fs.FileMode, digest string) item.State {
	return item.Text(fmt.Sprintf("%04o sha256:%s", mode.Perm(), digest))
}

// Kind implements item.Operation.
func (o *Programs) Kind() item.Kind { return item.Program }

// Traits implements item.Operation: what runs it is written afterwards, and goes before.
func (o *Programs) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Nested: true, Rank: -1}
}

// Observe implements item.Operation.
func (o *Programs) Observe(_ context.Context, k item.Key) (item.State, error) {
	info, err := o.m.Files.Lstat(k.Path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return item.Absent, nil
	case err != nil:
		return item.Unknown, fmt.Errorf("look at %s: %w", k.Path(), err)
	case !info.Mode().IsRegular():
		return item.Text(info.Mode().Type().String()), nil // somebody's: never replaced
	}
	digest, err := o.m.Programs.Digest(k.Path())
	if err != nil {
		return item.Unknown, fmt.Errorf("read %s: %w", k.Path(), err)
	}
	return programState(info.Mode(), digest), nil
}

// Apply implements item.Operation. Only a copy of the program that runs can be made.
func (o *Programs) Apply(_ context.Context, k item.Key, _, to item.State) error {
	if to == item.Absent {
		if err := o.m.Files.Remove(k.Path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove %s: %w", k.Path(), err)
		}
		return nil
	}
	_, digest, _ := strings.Cut(to.Text(), "sha256:")
	err := o.m.Programs.CopySelf(k.Path(), digest)
	if err != nil {
		return &item.Error{Reason: NotInstallable, Message: fmt.Sprintf("this program cannot be copied to %s: %v", k.Path(), err), File: k.Path(), Err: err}
	}
	return nil
}
