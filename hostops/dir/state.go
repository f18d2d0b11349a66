package dir

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// status is what is known of a directory.
type status struct {
	mode     fs.FileMode
	uid, gid uint32
}

// closed is how a directory is made: nobody but root gets in.
var closed = status{mode: 0o700}

func (s status) state() item.State {
	return item.Text(fmt.Sprintf("%s %d:%d", octal(s.mode), s.uid, s.gid))
}

// State returns the state of a directory that belongs to root.
func State(mode fs.FileMode) item.State { return status{mode: mode}.state() }

// special are the mode bits that Go keeps elsewhere than the kernel.
var special = []struct {
	bit  uint64
	mode fs.FileMode
}{{0o4000, fs.ModeSetuid}, {0o2000, fs.ModeSetgid}, {0o1000, fs.ModeSticky}}

// octal is a mode as chmod(1) takes it.
func octal(mode fs.FileMode) string {
	bits := uint64(mode.Perm())
	for _, s := range special {
		if mode&s.mode != 0 {
			bits |= s.bit
		}
	}
	return fmt.Sprintf("%04o", bits)
}

func modeOf(bits uint64) fs.FileMode {
	mode := fs.FileMode(bits).Perm()
	for _, s := range special {
		if bits&s.bit != 0 {
			mode |= s.mode
		}
	}
	return mode
}

func parse(s item.State) (status, error) {
	var numbers [3]uint64
	mode, owner, _ := strings.Cut(s.Text(), " ")
	user, group, _ := strings.Cut(owner, ":")
	for i, field := range []struct {
		text       string
		base, size int
	}{{mode, 8, 12}, {user, 10, 32}, {group, 10, 32}} {
		n, err := strconv.ParseUint(field.text, field.base, field.size)
		if err != nil {
			return status{}, fmt.Errorf("%q is no state of a directory", s)
		}
		numbers[i] = n
	}
	return status{modeOf(numbers[0]), uint32(numbers[1]), uint32(numbers[2])}, nil
}
