package trace

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stop is a thread that stands before or after a system call: struct ptrace_syscall_info.
type stop struct {
	_    [24]uint8
	Nr   uint64 // what it returned, after the call
	Args [6]uint64
	_    [8]uint8
}

// making are the flags with which an open makes or empties a file. O_TMPFILE has one more.
const making = unix.O_CREAT | unix.O_TRUNC | unix.O_TMPFILE&^unix.O_DIRECTORY

// errno is what a call that is over returned, 0 if it did what it should.
func (s stop) errno() syscall.Errno {
	if rval := int64(s.Nr); rval < 0 && rval > -4096 {
		return syscall.Errno(-rval)
	}
	return 0
}

// stopped says at which call a thread stands.
func stopped(tid int) (stop, error) {
	var s stop
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(tid), unsafe.Sizeof(s), uintptr(unsafe.Pointer(&s)), 0, 0)
	if errno != 0 {
		return s, errno
	}
	return s, nil
}

// call describes the call that a thread is about to make, and false if it changes
// nothing: writes to pipes and terminals, and opens that only look.
func (s stop) call(tid int) (Call, bool) {
	shape, ok := changing[s.Nr]
	if !ok {
		return Call{}, false
	}
	if shape.flags != none && s.Args[shape.flags]&making == 0 {
		return Call{}, false
	}
	c := Call{Name: shape.name, Handle: -1}
	if shape.fd != none {
		return onHandle(tid, c, int(int32(s.Args[shape.fd])), shape)
	}
	c.Path = s.pathAt(tid, shape.dir, shape.path)
	c.To = s.pathAt(tid, shape.toDir, shape.to)
	return c, true
}

// onHandle describes a call on a descriptor. Files of no file system, as pipes, are left
// out, and so are devices.
func onHandle(tid int, c Call, handle int, shape shape) (Call, bool) {
	c.Handle, c.Path = handle, link(tid, handle)
	if shape.socket && strings.HasPrefix(c.Path, "socket:") {
		c.Path, c.Sent = "socket", true
		return c, !isNetlink(tid, handle)
	}
	if !strings.HasPrefix(c.Path, "/") || strings.HasPrefix(c.Path, "/dev/") || strings.HasPrefix(c.Path, "/memfd:") {
		return Call{}, false
	}
	var st unix.Stat_t
	if err := unix.Stat(handlePath(tid, handle), &st); err == nil {
		c.Device, c.Inode = st.Dev, st.Ino
	}
	return c, true
}

// isNetlink reports whether a socket asks the kernel about links and addresses: nothing
// of ours changes those.
func isNetlink(tid, handle int) bool {
	name, _ := os.Readlink(handlePath(tid, handle))
	inode := strings.TrimSuffix(strings.TrimPrefix(name, "socket:["), "]")
	table, _ := os.ReadFile("/proc/" + strconv.Itoa(tid) + "/net/netlink")
	for line := range strings.Lines(string(table)) {
		if f := strings.Fields(line); len(f) > 0 && f[len(f)-1] == inode {
			return true
		}
	}
	return false
}

// pathAt is the path in an argument, made absolute.
func (s stop) pathAt(tid, dir, arg int) string {
	if arg == none {
		return ""
	}
	name := text(tid, uintptr(s.Args[arg]))
	if strings.HasPrefix(name, "/") {
		return name
	}
	base := "/proc/" + strconv.Itoa(tid) + "/cwd"
	if dir != none && int32(s.Args[dir]) != unix.AT_FDCWD {
		base = handlePath(tid, int(int32(s.Args[dir])))
	}
	folder, _ := os.Readlink(base)
	return path.Join(folder, name)
}

func handlePath(tid, handle int) string {
	return "/proc/" + strconv.Itoa(tid) + "/fd/" + strconv.Itoa(handle)
}

func link(tid, handle int) string {
	target, _ := os.Readlink(handlePath(tid, handle))
	return target
}

// text reads a string of a thread's memory, which ends with a zero.
func text(tid int, at uintptr) string {
	const page = 4096
	var out []byte
	for len(out) < unix.PathMax {
		b := make([]byte, page-int(at%page)) // the next page may not be there
		n, err := unix.ProcessVMReadv(tid, []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}, []unix.RemoteIovec{{Base: at, Len: len(b)}}, 0)
		if err != nil || n == 0 {
			break
		}
		if end := bytes.IndexByte(b[:n], 0); end >= 0 {
			return string(append(out, b[:end]...))
		}
		out, at = append(out, b[:n]...), at+uintptr(n)
	}
	return string(out)
}
