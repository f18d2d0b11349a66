package selinux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The items of this package, besides those of Context.
const (
	// Policy is whether the policy knows containers.
	Policy item.Key = "selinux/policy"
	// Labels is whether our files have the labels that the policy names.
	Labels item.Key = "selinux/labels"
)

const contextOf = "context"

// Context is the type that is registered for a folder and all below it.
func Context(folder string) item.Key { return item.NewKey(item.SELinux, contextOf+folder) }

// The wished states of the items.
var (
	// Installed is a policy that knows containers.
	Installed = item.Text("installed")
	// AsNamed are labels as the policy names them.
	AsNamed = item.Text("as the policy names them")
	// Program is the type of programs.
	Program = item.Text("bin_t")
)

// containers is a type that every policy for container runtimes has.
const containers = "container_file_t"

// Operation serves SELinux on one host in one boot.
type Operation struct {
	m     *machine.Machine
	boot  string
	files []string
}

// New returns the operation for a host whose present boot has the given id, and for the
// files and folders of ours whose labels count. Those that are not there do not.
func New(m *machine.Machine, bootID string, files []string) *Operation {
	return &Operation{m: m, boot: bootID, files: files}
}

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.SELinux }

// Traits implements item.Operation. A label that was wrong is not made wrong again, and
// goes with its file.
func (o *Operation) Traits(k item.Key) item.Traits {
	if _, ok := folder(k); ok {
		return item.Traits{Store: item.Durable}
	}
	return item.Traits{Store: item.Volatile, Epoch: o.boot, OneWay: true}
}

// folder returns the folder that a type is registered for.
func folder(k item.Key) (string, bool) { return strings.CutPrefix(k.Name(), contextOf) }

// Observe implements item.Operation.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	if path, ok := folder(k); ok {
		return o.observeContext(path)
	}
	switch k {
	case Policy:
		return o.observePolicy()
	case Labels:
		return o.observeLabels()
	}
	return item.Unknown, fmt.Errorf("%s is nothing that this version knows", k)
}

func (o *Operation) observePolicy() (item.State, error) {
	has, err := o.m.SELinux.HasType(containers)
	switch {
	case err != nil:
		return item.Unknown, unreadable(err)
	case has:
		return Installed, nil
	}
	return item.Unknown, &item.Error{
		Reason:  PolicyMissing,
		Message: fmt.Sprintf("SELinux is on, and its policy does not know containers: it has no type %s", containers),
		Fix:     "install container-selinux, or write selinux: Keep into the profile",
	}
}

func (o *Operation) observeLabels() (item.State, error) {
	wrong, err := o.wrong()
	switch {
	case err != nil:
		return item.Unknown, unreadable(err)
	case len(wrong) == 0:
		return AsNamed, nil
	}
	return item.Text("other ones on " + strings.Join(wrong, ", ")), nil
}

// wrong returns the files of ours that have another label than the policy names.
func (o *Operation) wrong() ([]string, error) {
	var out []string
	for _, path := range o.files {
		have, want, err := o.m.SELinux.Label(path)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, machine.ErrNotRegular):
			continue // a link or device is nothing of ours
		case err != nil:
			return nil, err
		case have != want:
			out = append(out, path)
		}
	}
	return out, nil
}

func (o *Operation) observeContext(path string) (item.State, error) {
	typ, err := o.m.SELinux.FileContext(expression(path))
	switch {
	case err != nil:
		return item.Unknown, unreadable(err)
	case typ == "":
		return item.Absent, nil
	}
	return item.Text(typ), nil
}

// Apply implements item.Operation.
func (o *Operation) Apply(ctx context.Context, k item.Key, _, to item.State) error {
	if path, ok := folder(k); ok {
		return explain(path, to, o.m.SELinux.SetFileContext(ctx, expression(path), to.Text()))
	}
	if k != Labels || to != AsNamed {
		return fmt.Errorf("%s is not made %s", k, to)
	}
	wrong, err := o.wrong()
	if err != nil {
		return unreadable(err)
	}
	for _, path := range wrong {
		if err := o.m.SELinux.Relabel(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return explain(path, to, err)
		}
	}
	return nil
}

// expression matches a folder and all below it.
func expression(folder string) string {
	var b strings.Builder
	for _, r := range folder {
		if strings.ContainsRune(`\.^$?*+|[](){}`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String() + "(/.*)?"
}

// NeedsContext reports whether the policy would not take what is in a folder for programs.
func NeedsContext(m *machine.Machine, folder string) (bool, error) {
	typ, err := m.SELinux.TypeFor(folder+"/program", false)
	return err == nil && typ != Program.Text(), err
}
