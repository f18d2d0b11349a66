package linux

import (
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// proc implements machine.Proc on the process's own /proc and /sys.
type proc struct{ sysctls *sysctls }

func (p *proc) ReadSysctl(path string) (string, error) {
	v, err := p.sysctls.read(path)
	return v, failed("read sysctl", path, err)
}

func (p *proc) WriteSysctl(path, value string) error {
	return failed("write sysctl", path, p.sysctls.write(path, value))
}

func (p *proc) ReadSysctls(paths []string) []machine.SysctlText { return p.sysctls.readAll(paths) }

func (p *proc) WriteSysctls(writes []machine.SysctlWrite) []error {
	return p.sysctls.writeAll(writes)
}

func (p *proc) OpenSysctls(paths []string) { p.sysctls.openAll(paths) }

func (p *proc) CloseSysctls() { p.sysctls.dismiss() }

func (p *proc) ListSysctl(path string) ([]string, error) {
	if !fs.ValidPath(path) {
		return nil, failed("list sysctl", path, fs.ErrInvalid)
	}
	names, err := list(p.sysctls.few.dir, path)
	return names, failed("list sysctl", path, err)
}

// ReadProc reads a file below /proc or /sys. A directory is machine.ErrNotRegular,
// which tells one that exists from one that does not.
func (p *proc) ReadProc(path string) ([]byte, error) {
	if err := clean(path); err != nil {
		return nil, failed("read", path, err)
	}
	if !strings.HasPrefix(path, "/proc/") && !strings.HasPrefix(path, "/sys/") {
		return nil, failed("read", path, fmt.Errorf("not below /proc or /sys: %w", fs.ErrInvalid))
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, failed("read", path, err)
	}
	defer shut(fd)
	b, err := readAll(fd, 4096)
	return b, failed("read", path, err)
}
