package selinux

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// The reasons that this package gives.
const (
	PolicyMissing    item.Reason = "SELinuxPolicyMissing"
	PolicyUnreadable item.Reason = "SELinuxPolicyUnreadable"
	ToolMissing      item.Reason = "SELinuxToolMissing"
	PermissionDenied item.Reason = "PermissionDenied"
)

func unreadable(err error) error {
	return &item.Error{
		Reason: PolicyUnreadable, Err: err,
		Message: fmt.Sprintf("which labels are right cannot be told: %v", err),
		Fix:     "sestatus; ls /etc/selinux/*/contexts/files",
	}
}

// explain says why a label could not be written or registered, and what a person can do.
func explain(path string, to item.State, err error) error {
	command := fmt.Sprintf("semanage fcontext -a -t %s '%s'", to, expression(path))
	if !to.Present() {
		command = fmt.Sprintf("semanage fcontext -d '%s'", expression(path))
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errors.ErrUnsupported):
		return &item.Error{
			Reason: ToolMissing, Err: err,
			Message: fmt.Sprintf("this host has no semanage, so that the type of %s cannot be registered", path),
			Fix:     "install policycoreutils-python-utils; or where it is: " + command,
		}
	case errors.Is(err, fs.ErrPermission):
		return &item.Error{
			Reason: PermissionDenied, Err: err,
			Message: fmt.Sprintf("the kernel does not let us label %s: %v", path, err),
			Fix:     "restorecon -v " + path,
		}
	default:
		return fmt.Errorf("SELinux: %w", err)
	}
}
