package dir

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Operation serves the directories of one host.
type Operation struct{ m *machine.Machine }

// New returns the operation for a host.
func New(m *machine.Machine) *Operation { return &Operation{m: m} }

// Key returns the item of an absolute path.
func Key(path string) item.Key { return item.NewKey(item.Dir, path) }

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Dir }

// Traits implements item.Operation.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Nested: true}
}

// Observe implements item.Operation. A directory reads as "0755 0:0": its mode in octal,
// user and group.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	at, err := o.place(k.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return item.Absent, nil
	}
	if err != nil {
		return item.Unknown, err
	}
	info, err := o.m.Files.Lstat(at)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return item.Absent, nil
	case err != nil:
		return item.Unknown, err
	case !info.IsDir():
		return item.Unknown, noDirectory(at)
	}
	owner := ownerOf(info)
	return status{info.Mode(), owner.UID, owner.GID}.state(), nil
}

// Settle implements item.Settler. Where the parent is gone, so is what had to be made
// durable.
func (o *Operation) Settle(_ context.Context, k item.Key) error {
	at, err := o.place(k.Path())
	if err == nil || errors.Is(err, fs.ErrNotExist) { // it may be its removal
		err = o.m.Files.Settle(at)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return explain(at, err)
}

// Apply implements item.Operation. A directory is made closed to everybody and opened up
// once it has its owner. Going back to Absent removes it if it is empty; one that is not
// matches item.ErrLeave and stays with what is in it.
func (o *Operation) Apply(_ context.Context, k item.Key, from, to item.State) error {
	at, err := o.place(k.Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if to == item.Absent {
		return o.explainRemoval(at, o.remove(at))
	}
	want, err := parse(to)
	if err != nil {
		return fmt.Errorf("directory %s: %w", at, err)
	}
	have := closed
	if from.Present() {
		if have, err = parse(from); err != nil {
			return fmt.Errorf("directory %s: %w", at, err)
		}
	} else if err := o.m.Files.Mkdir(at, closed.mode); err != nil {
		return explain(at, err)
	}
	return explain(at, o.become(at, have, want))
}

// become gives a directory its owner first: its mode may let the owner's group in.
func (o *Operation) become(at string, have, want status) error {
	if have.uid != want.uid || have.gid != want.gid {
		if err := o.m.Files.Chown(at, want.uid, want.gid); err != nil {
			return err
		}
	}
	if octal(have.mode) == octal(want.mode) {
		return nil
	}
	return o.m.Files.Chmod(at, want.mode)
}

// Steps implements item.Stepper: what become has made of a directory in the middle.
func (o *Operation) Steps(from, to item.State) []item.State {
	want, err := parse(to)
	if err != nil {
		return nil // it is removed, which is one step
	}
	have, err := parse(from)
	if err != nil {
		have = closed
	}
	return []item.State{have.state(), status{have.mode, want.uid, want.gid}.state()}
}

func (o *Operation) remove(at string) error {
	if err := o.m.Files.Rmdir(at); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
