package sysctl

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// The reasons that this package gives.
const (
	KeyNotFound           item.Reason = "KeyNotFound"
	InterfaceAbsent       item.Reason = "InterfaceAbsent"
	PermissionDenied      item.Reason = "PermissionDenied"
	ReadOnlyProcSys       item.Reason = "ReadOnlyProcSys"
	InvalidValue          item.Reason = "InvalidValue"
	UnexpectedFilesystem  item.Reason = "UnexpectedFilesystem"
	WouldLoseDefaultRoute item.Reason = "WouldLoseDefaultRoute"
)

// explain says what an error of reading or writing a key means.
func (o *Operation) explain(n Name, err error) error {
	e := &item.Error{Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o.explainMissing(n, err)
	case errors.Is(err, machine.ErrNotProcfs):
		e.Reason = UnexpectedFilesystem
		e.Message = fmt.Sprintf("another file is mounted over /proc/sys/%s", n.Path())
		e.Fix = "umount /proc/sys/" + n.Path()
	case errors.Is(err, machine.ErrReadOnly):
		e.Reason = ReadOnlyProcSys
		e.Message = "/proc/sys is mounted read-only"
		e.Fix = "run it on the host, or in a privileged container"
	case errors.Is(err, fs.ErrPermission):
		e.Reason = PermissionDenied
		e.Message = "the kernel does not allow it: the key is fixed, or the right to change it is missing"
		e.Fix = "look for a lockdown: cat /sys/kernel/security/lockdown"
	default:
		return fmt.Errorf("sysctl %s: %w", n, err)
	}
	return e
}

// explainRefused says why a value was not taken.
func explainRefused(n Name, text string, err error) error {
	return &item.Error{
		Reason:  InvalidValue,
		Message: fmt.Sprintf("the kernel refuses %q for %s", text, n),
		Fix:     "correct the value in the profile",
		Err:     err,
	}
}

// explainMissing tells a missing interface from a missing key.
func (o *Operation) explainMissing(n Name, err error) error {
	if dir, link, _, ok := n.split(); ok {
		if links, lerr := o.links(dir); lerr == nil && !slices.Contains(links, link) {
			return &item.Error{
				Reason:  InterfaceAbsent,
				Message: fmt.Sprintf("there is no interface %s", link),
				Err:     err,
			}
		}
	}
	e := &item.Error{
		Reason: KeyNotFound, Message: "this kernel has no such key", Err: err,
		Fix: "check the name, or set ifMissing: Skip if not every host has it",
	}
	if better, ok := o.dotted(n); ok {
		e.Message = fmt.Sprintf("there is no such key: a dot in an interface's name is written as a slash, %s", better)
		e.Fix = "name it " + string(better)
	}
	return e
}

// dotted returns the name that was meant by one in which an interface's own dot was
// taken for a separator, if the host has such an interface.
func (o *Operation) dotted(n Name) (Name, bool) {
	e := strings.Split(string(n), ".")
	if len(e) < 6 {
		return "", false
	}
	dir, link := strings.Join(e[:3], "."), swap(strings.Join(e[3:len(e)-1], "/"))
	if !hasInterfaces(dir) {
		return "", false
	}
	links, err := o.links(dir)
	return of(dir, link, e[len(e)-1]), err == nil && slices.Contains(links, link)
}

// links lists the names in a directory of interfaces, all and default included.
func (o *Operation) links(dir string) ([]string, error) {
	return o.m.Proc.ListSysctl(Name(dir).Path())
}
