package contract

import (
	"io/fs"
	"slices"
	"strconv"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// values is how the kernel reads and prints.
var values = []sentence{
	{"a number is printed in decimal, whatever base it was written in", func(t *testing.T, w World, m *machine.Machine) {
		for written, want := range map[string]string{
			"16": "16", "0x10": "16", "010": "8", "00": "0", "0": "0", " 7": "7", "7 ": "7", "\t9\t": "9",
			"-1": "-1", "-0": "0", "2147483647": "2147483647", "-2147483648": "-2147483648", "0X1f": "31",
		} {
			set(t, m, "net/ipv4/conf/lo/tag", written)
			reads(t, m, "net/ipv4/conf/lo/tag", want)
		}
	}},
	{"a tuple is printed with tabs", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/tcp_rmem", "4096 87380   6291456")
		reads(t, m, "net/ipv4/tcp_rmem", "4096\t87380\t6291456")
		set(t, m, "net/ipv4/ip_local_port_range", "20000\t30001")
		reads(t, m, "net/ipv4/ip_local_port_range", "20000\t30001")
	}},
	{"a part of a tuple changes the first numbers", func(t *testing.T, w World, m *machine.Machine) {
		set(t, m, "net/ipv4/tcp_rmem", "4096 87380 6291456")
		set(t, m, "net/ipv4/tcp_rmem", "8192 0x10000")
		reads(t, m, "net/ipv4/tcp_rmem", "8192\t65536\t6291456")
	}},
	{"a value is written again without effect", func(t *testing.T, w World, m *machine.Machine) {
		before := get(t, m, "net/ipv4/tcp_wmem")
		set(t, m, "net/ipv4/tcp_wmem", before)
		reads(t, m, "net/ipv4/tcp_wmem", before)
	}},
	{"a directory lists its keys in order", func(t *testing.T, w World, m *machine.Machine) {
		names, err := m.Proc.ListSysctl("net/ipv4/conf")
		works(t, "list", err)
		if want := []string{"all", "default", "lo"}; !slices.Equal(names, want) {
			t.Errorf("net/ipv4/conf lists %q, want %q", names, want)
		}
		_, err = m.Proc.ListSysctl("net/ipv4/none")
		fails(t, "list a missing directory", err, fs.ErrNotExist)
	}},
	{"a long value is read whole", func(t *testing.T, w World, m *machine.Machine) {
		reads(t, m, "net/ipv4/ip_local_reserved_ports", "")
		ports := "10000"
		for p := 10002; len(ports) < 4080; p += 2 {
			ports += "," + strconv.Itoa(p)
		}
		set(t, m, "net/ipv4/ip_local_reserved_ports", ports)
		reads(t, m, "net/ipv4/ip_local_reserved_ports", ports)
	}},
}
