//go:build !amd64

package trace

import (
	"errors"
	"syscall"
)

// arch is no architecture: Program works on amd64 only.
const arch = 0

func refuse(int, syscall.Errno) error { return errors.ErrUnsupported }
