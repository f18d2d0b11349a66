package contract

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// refusals is what cannot be read or written.
var refusals = []sentence{
	{"a missing key is not there", func(t *testing.T, w World, m *machine.Machine) {
		_, err := m.Proc.ReadSysctl("net/ipv4/conf/none/rp_filter")
		fails(t, "read", err, fs.ErrNotExist)
		fails(t, "write", m.Proc.WriteSysctl("net/ipv4/conf/none/rp_filter", "1"), fs.ErrNotExist)
	}},
	{"an invalid value is refused and changes nothing", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/conf/lo/tag", "5")
		for _, value := range []string{
			"", " ", "x", "x1", "1x", "0x", "08", "1,2", "+1", "\"1\"", "2147483648", "-2147483649", "99999999999999999999", "- 1", "--1", "1_0", "0b1", "0o7",
		} {
			fails(t, "write "+value, m.Proc.WriteSysctl("net/ipv4/conf/lo/tag", value), machine.ErrInvalid)
			reads(t, m, "net/ipv4/conf/lo/tag", "5")
		}
	}},
	{"a number out of a key's bounds is refused", func(t *testing.T, w World, m *machine.Machine) {
		before := get(t, m, "net/ipv4/tcp_retries1")
		fails(t, "256", m.Proc.WriteSysctl("net/ipv4/tcp_retries1", "256"), machine.ErrInvalid)
		fails(t, "-1", m.Proc.WriteSysctl("net/ipv4/tcp_retries1", "-1"), machine.ErrInvalid)
		reads(t, m, "net/ipv4/tcp_retries1", before)
	}},
	{"more numbers than a key has are refused, though the first are taken", func(t *testing.T, w World, m *machine.Machine) {
		fails(t, "write 3 4", m.Proc.WriteSysctl("net/ipv4/conf/lo/tag", "3 4"), machine.ErrInvalid)
		reads(t, m, "net/ipv4/conf/lo/tag", "3")
	}},
	{"a value longer than the kernel takes at once is refused and changes nothing", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/ip_local_reserved_ports", "7")
		long := "1" + strings.Repeat(",1", machine.MaxSysctl/2)
		fails(t, "write", m.Proc.WriteSysctl("net/ipv4/ip_local_reserved_ports", long), machine.ErrInvalid)
		reads(t, m, "net/ipv4/ip_local_reserved_ports", "7")
	}},
	{"a value that names something missing is refused", func(t *testing.T, w World, m *machine.Machine) {
		before := get(t, m, "net/ipv4/tcp_congestion_control")
		fails(t, "write", m.Proc.WriteSysctl("net/ipv4/tcp_congestion_control", "nosuch"), machine.ErrInvalid)
		reads(t, m, "net/ipv4/tcp_congestion_control", before)
	}},
	{"a read-only key refuses a write", func(t *testing.T, w World, m *machine.Machine) {
		reads(t, m, "net/ipv4/conf/lo/mc_forwarding", "0")
		fails(t, "write", m.Proc.WriteSysctl("net/ipv4/conf/lo/mc_forwarding", "1"), fs.ErrPermission)
	}},
	{"a write-only key refuses a read", func(t *testing.T, w World, m *machine.Machine) {
		_, err := m.Proc.ReadSysctl("net/ipv4/route/flush")
		fails(t, "read", err, fs.ErrPermission)
		set(t, m, "net/ipv4/route/flush", "1")
	}},
	{"a read-only mount refuses a write and allows a read", func(t *testing.T, w World, m *machine.Machine) {
		w.Protect()
		value := get(t, m, "kernel/panic")
		fails(t, "write", m.Proc.WriteSysctl("kernel/panic", value), machine.ErrReadOnly)
		reads(t, m, "kernel/panic", value)
	}},
	{"a file mounted over a key is not the kernel's", func(t *testing.T, w World, m *machine.Machine) {
		w.Cover("net/ipv4/tcp_retries1")
		_, err := m.Proc.ReadSysctl("net/ipv4/tcp_retries1")
		fails(t, "read", err, machine.ErrNotProcfs)
		fails(t, "write", m.Proc.WriteSysctl("net/ipv4/tcp_retries1", "3"), machine.ErrNotProcfs)
	}},
	{"a path that leaves /proc/sys is refused", func(t *testing.T, w World, m *machine.Machine) {
		for _, path := range []string{"", ".", "..", "../version", "net/../../version", "/net/ipv4/ip_forward", "net//ipv4/ip_forward", "net/ipv4/"} {
			_, err := m.Proc.ReadSysctl(path)
			fails(t, "read "+path, err, fs.ErrInvalid)
			fails(t, "write "+path, m.Proc.WriteSysctl(path, "1"), fs.ErrInvalid)
		}
	}},
	{"a directory is not a key", func(t *testing.T, w World, m *machine.Machine) {
		_, err := m.Proc.ReadSysctl("net/ipv4")
		fails(t, "read", err, machine.ErrNotRegular)
		fails(t, "write", m.Proc.WriteSysctl("net/ipv4", "1"), machine.ErrNotRegular)
	}},
}
