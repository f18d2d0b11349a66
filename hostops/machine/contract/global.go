package contract

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// RunGlobal proves the rules of sysctls that no namespace has of its own. It changes
// them and puts them back: it is for the fake and for a virtual machine, never for a
// machine that somebody uses.
func RunGlobal(t *testing.T, world func(*testing.T) World) {
	for _, s := range slices.Concat(pairs, watchdogs, neighbours) {
		t.Run(s.says, func(t *testing.T) {
			w := world(t)
			m := w.Machine()
			keep(t, m)
			s.prove(t, w, m)
		})
	}
}

// keep puts back what the chapter changes. Of a pair only the one that is not zero
// can be written.
func keep(t *testing.T, m *machine.Machine) {
	t.Helper()
	for _, path := range []string{
		"vm/dirty_bytes", "vm/dirty_ratio", "vm/dirty_background_bytes", "vm/dirty_background_ratio",
		"vm/overcommit_kbytes", "vm/overcommit_ratio", "kernel/watchdog", "kernel/nmi_watchdog",
		"kernel/soft_watchdog", "net/ipv4/neigh/default/ucast_solicit",
	} {
		before, err := m.Proc.ReadSysctl(path)
		if err == nil && (before != "0" || strings.HasPrefix(path, "kernel/")) {
			t.Cleanup(func() { _ = m.Proc.WriteSysctl(path, before) })
		}
	}
}

// pairs is two spellings of one limit: only one can be in force.
var pairs = []sentence{
	{"dirty_bytes and dirty_ratio make each other zero", func(t *testing.T, w World, m *machine.Machine) {
		eachOther(t, m, "vm/dirty_bytes", "104857600", "vm/dirty_ratio", "30")
	}},
	{"dirty_background_bytes and dirty_background_ratio make each other zero", func(t *testing.T, w World, m *machine.Machine) {
		eachOther(t, m, "vm/dirty_background_bytes", "52428800", "vm/dirty_background_ratio", "15")
	}},
	{"overcommit_kbytes and overcommit_ratio make each other zero", func(t *testing.T, w World, m *machine.Machine) {
		eachOther(t, m, "vm/overcommit_kbytes", "1048576", "vm/overcommit_ratio", "60")
	}},
	{"the bytes of a pair do not take zero", func(t *testing.T, w World, m *machine.Machine) {
		fails(t, "dirty_bytes", m.Proc.WriteSysctl("vm/dirty_bytes", "0"), machine.ErrInvalid)
		fails(t, "dirty_background_bytes", m.Proc.WriteSysctl("vm/dirty_background_bytes", "0"), machine.ErrInvalid)
	}},
	{"a ratio of zero makes its bytes zero, too, except for dirty_ratio that is zero already", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "vm/dirty_bytes", "104857600")
		set(t, m, "vm/dirty_ratio", "0")
		reads(t, m, "vm/dirty_bytes", "104857600")
		set(t, m, "vm/dirty_background_bytes", "52428800")
		set(t, m, "vm/dirty_background_ratio", "0")
		reads(t, m, "vm/dirty_background_bytes", "0")
		set(t, m, "vm/overcommit_kbytes", "1048576")
		set(t, m, "vm/overcommit_ratio", "0")
		reads(t, m, "vm/overcommit_kbytes", "0")
		set(t, m, "vm/overcommit_ratio", "50")
		set(t, m, "vm/overcommit_kbytes", "0")
		reads(t, m, "vm/overcommit_ratio", "0")
	}},
	{"dirty_bytes takes no less than two pages", func(t *testing.T, w World, m *machine.Machine) {
		fails(t, "4096", m.Proc.WriteSysctl("vm/dirty_bytes", "4096"), machine.ErrInvalid)
	}},
	{"a large number is never negative", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "vm/dirty_bytes", "104857600")
		fails(t, "-1", m.Proc.WriteSysctl("vm/dirty_bytes", "-1"), machine.ErrInvalid)
		reads(t, m, "vm/dirty_bytes", "104857600")
	}},
}

func eachOther(t *testing.T, m *machine.Machine, a, x, b, y string) {
	t.Helper()
	set(t, m, a, x)
	reads(t, m, b, "0")
	reads(t, m, a, x)
	set(t, m, b, y)
	reads(t, m, a, "0")
	reads(t, m, b, y)
	set(t, m, b, y)
	reads(t, m, b, y)
}

// watchdogs is one switch over two. A machine without the hardware for the nmi one
// refuses to write it.
//
// On kernels before 6.12 a read has an effect: what a key shows becomes what it is set
// to. So each sentence writes all it needs before it reads.
var watchdogs = []sentence{
	{"kernel.watchdog that is off shows both parts off", func(t *testing.T, w World, m *machine.Machine) {
		watchdogsOn(t, m)
		set(t, m, "kernel/watchdog", "0")
		reads(t, m, "kernel/watchdog", "0")
		reads(t, m, "kernel/soft_watchdog", "0")
		reads(t, m, "kernel/nmi_watchdog", "0")
	}},
	{"both parts off show kernel.watchdog off", func(t *testing.T, w World, m *machine.Machine) {
		watchdogsOn(t, m)
		set(t, m, "kernel/soft_watchdog", "0")
		_ = m.Proc.WriteSysctl("kernel/nmi_watchdog", "0")
		reads(t, m, "kernel/watchdog", "0")
	}},
	{"the switch and then its parts, with no read between, bring them back", func(t *testing.T, w World, m *machine.Machine) {
		watchdogsOn(t, m)
		set(t, m, "kernel/watchdog", "0")
		reads(t, m, "kernel/soft_watchdog", "0")
		reads(t, m, "kernel/watchdog", "0")
		watchdogsOn(t, m)
		reads(t, m, "kernel/soft_watchdog", "1")
		reads(t, m, "kernel/watchdog", "1")
	}},
}

func watchdogsOn(t *testing.T, m *machine.Machine) {
	t.Helper()
	set(t, m, "kernel/watchdog", "1")
	set(t, m, "kernel/soft_watchdog", "1")
	_ = m.Proc.WriteSysctl("kernel/nmi_watchdog", "1")
}

// neighbours is the directory that only the first network namespace has.
var neighbours = []sentence{
	{"neigh/default is copied where the key was not set, on new interfaces too", func(t *testing.T, w World, m *machine.Machine) {
		w.AddLink("x0")
		w.AddLink("x1")
		set(t, m, "net/ipv4/neigh/x1/ucast_solicit", "3")
		set(t, m, "net/ipv4/neigh/default/ucast_solicit", "5")
		reads(t, m, "net/ipv4/neigh/x0/ucast_solicit", "5")
		reads(t, m, "net/ipv4/neigh/x1/ucast_solicit", "3")
		w.AddLink("x2")
		set(t, m, "net/ipv4/neigh/default/ucast_solicit", "6")
		reads(t, m, "net/ipv4/neigh/x2/ucast_solicit", "6")
	}},
	{"the size of the neighbour table has no interface", func(t *testing.T, w World, m *machine.Machine) {
		_, err := m.Proc.ReadSysctl("net/ipv4/neigh/lo/gc_thresh1")
		fails(t, "read", err, fs.ErrNotExist)
	}},
}
