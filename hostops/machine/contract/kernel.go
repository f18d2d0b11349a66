package contract

import (
	"context"
	"io/fs"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// kernel is system calls and the clock.
var kernel = []sentence{
	{"an area that is not in use cannot be taken out of use", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "no swap")
		fails(t, "swapoff", m.Kernel.SwapOff(t.Context(), "/etc/f"), machine.ErrInvalid)
		fails(t, "swapoff of none", m.Kernel.SwapOff(t.Context(), "/etc/none"), fs.ErrNotExist)
	}},
	{"a file that is no swap area is not taken into use", func(t *testing.T, w World, m *machine.Machine) {
		w.PutFile("/etc/f", "no swap")
		fails(t, "swapon", m.Kernel.SwapOn("/etc/f", -1), machine.ErrInvalid)
		fails(t, "swapon of none", m.Kernel.SwapOn("/etc/none", -1), fs.ErrNotExist)
	}},
	{"a module's name is a name", func(t *testing.T, w World, m *machine.Machine) {
		for _, name := range []string{"", "-r", "--help", "../x", "a b", "a;b", "a\nb"} {
			fails(t, "load "+name, m.Kernel.LoadModule(t.Context(), name), fs.ErrInvalid)
		}
	}},
	{"a call whose time is over does nothing", func(t *testing.T, w World, m *machine.Machine) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w.PutFile("/etc/f", "")
		fails(t, "swapoff", m.Kernel.SwapOff(ctx, "/etc/f"), context.Canceled)
		fails(t, "sleep", m.Clock.Sleep(ctx, time.Hour), context.Canceled)
	}},
	{"time passes while sleeping", func(t *testing.T, w World, m *machine.Machine) {
		start := m.Clock.Now()
		works(t, "sleep", m.Clock.Sleep(t.Context(), 2*time.Millisecond))
		if d := m.Clock.Now().Sub(start); d < 2*time.Millisecond {
			t.Errorf("slept %v", d)
		}
	}},
	{"/proc/swaps and /proc/meminfo are there", func(t *testing.T, w World, m *machine.Machine) {
		for _, path := range []string{"/proc/swaps", "/proc/meminfo"} {
			b, err := m.Proc.ReadProc(path)
			works(t, "read", err)
			if len(b) == 0 {
				t.Errorf("%s is empty", path)
			}
		}
		_, err := m.Proc.ReadProc("/proc/none")
		fails(t, "read", err, fs.ErrNotExist)
		_, err = m.Proc.ReadProc("/etc/passwd")
		fails(t, "read", err, fs.ErrInvalid)
	}},
}
