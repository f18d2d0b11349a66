package offline

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// still is the kernel of a host that does not run: there is nothing to read, and nothing can
// be done.
type still struct{}

func missing(what string) error {
	return fmt.Errorf("%s: the host does not run: %w", what, fs.ErrNotExist)
}
func cannot(what string) error {
	return fmt.Errorf("%s: the host does not run: %w", what, machine.ErrReadOnly)
}

func (still) ReadProc(path string) ([]byte, error)           { return nil, missing(path) }
func (still) ReadSysctl(path string) (string, error)         { return "", missing(path) }
func (still) WriteSysctl(path, _ string) error               { return cannot(path) }
func (s still) ReadSysctls(p []string) []machine.SysctlText  { return machine.ReadEach(s, p) }
func (s still) WriteSysctls(w []machine.SysctlWrite) []error { return machine.WriteEach(s, w) }
func (still) ListSysctl(path string) ([]string, error)       { return nil, missing(path) }
func (still) LoadModule(_ context.Context, n string) error   { return cannot("load " + n) }
func (still) SwapOff(_ context.Context, p string) error      { return cannot("end swap on " + p) }
func (still) SwapOn(p string, _ int) error                   { return cannot("begin swap on " + p) }
func (still) MountAt(p string) (machine.Mount, error)        { return machine.Mount{}, missing(p) }
func (still) MountBPF(p string) error                        { return cannot("mount on " + p) }
func (still) Share(p string, _ bool) error                   { return cannot("share " + p) }
func (still) LinkIndex(name string) (int, error)             { return 0, missing(name) }

// TryLock has nobody to keep out: who else works on an image is for its builder to know.
func (still) TryLock(string, string) (release func() error, err error) {
	return func() error { return nil }, nil
}

func (still) Holder(string) (string, error) { return "", nil }

func (still) NewLinks(context.Context) (<-chan string, error) { return nil, missing("links") }

func (still) Snapshot(context.Context) (machine.Snapshot, error) { return machine.Snapshot{}, nil }

func (still) Changes(context.Context) (<-chan struct{}, error) { return nil, missing("links") }

func (still) Chains(context.Context) ([]machine.Chain, error) { return nil, nil }
