package sysctl_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func TestCanonicalValues(t *testing.T) {
	for _, c := range []struct {
		name       sysctl.Name
		text, want string
	}{
		{"net.ipv4.tcp_rmem", "4096\t87380\t6291456", "4096 87380 6291456"},
		{"net.ipv4.tcp_rmem", "  4096  87380 6291456\n", "4096 87380 6291456"},
		{"kernel.sem", "32000\t1024000000\t500\t32000", "32000 1024000000 500 32000"},
		{"kernel.shmmax", "18446744073709551615", "18446744073709551615"},
		{"kernel.shmmax", "18446744073709551616", "18446744073709551616"}, // too large: the kernel will say so
		{"vm.swappiness", "0x10", "16"},
		{"vm.swappiness", "0X1f", "31"},
		{"vm.swappiness", "010", "8"}, // the kernel reads octal
		{"vm.swappiness", "000", "0"},
		{"vm.swappiness", "08", "08"}, // refused by the kernel
		{"vm.swappiness", "-0", "0"},
		{"kernel.sched_rt_runtime_us", "-1", "-1"},
		{"kernel.sched_rt_runtime_us", "-0x1", "-1"},
		{"kernel.sched_rt_runtime_us", "--1", "--1"},
		{"kernel.sched_rt_runtime_us", "+1", "+1"},
		{"vm.swappiness", "1_000", "1_000"},
		{"vm.swappiness", "0b1", "0b1"},
		{"net.core.default_qdisc", "fq_codel", "fq_codel"},
		{"net.ipv4.ip_local_reserved_ports", "9150,8080 , 9148-9149,8081", "8080-8081,9148-9150"},
		{"net.ipv4.ip_local_reserved_ports", "", ""},
		{"net.ipv4.ip_local_reserved_ports", "1-5,3-9,10", "1-10"},
		{"net.ipv4.ip_local_reserved_ports", "9-1", "9-1"},
		{"kernel.watchdog_cpumask", "0,1,2,3", "0-3"},
		{"net.ipv4.tcp_allowed_congestion_control", "reno cubic", "cubic reno"},
		{"net.core.rps_default_mask", "00000000,00000ff0", "ff0"},
		{"net.core.rps_default_mask", "0", "0"},
		{"net.core.rps_default_mask", "10", "10"},
		{"sunrpc.rpc_debug", "0x0000", "0"},
	} {
		got := sysctl.Canonical(c.name, c.text)
		if got != c.want {
			t.Errorf("Canonical(%s, %q) = %q, want %q", c.name, c.text, got, c.want)
		}
		if again := sysctl.Canonical(c.name, got); again != got {
			t.Errorf("Canonical(%s, %q) = %q, not itself", c.name, got, again)
		}
	}
}

func TestTuplesAreEqualWhateverTheBlanks(t *testing.T) {
	if !sysctl.Equal("net.ipv4.tcp_rmem", "4096 87380 6291456", "4096\t87380\t6291456\n") {
		t.Error("a tuple would be written again at every run")
	}
	if sysctl.Equal("net.ipv4.tcp_rmem", "4096 87380 6291456", "4096 87380 6291457") {
		t.Error("two tuples are one")
	}
}

func TestValuesInTheItemsOwnTerms(t *testing.T) {
	for _, c := range []struct {
		name sysctl.Name
		text string
		want string
	}{
		{"vm.dirty_bytes", "1048576", "vm.dirty_bytes=1048576"},
		{"vm.dirty_ratio", "20", "vm.dirty_ratio=20"},
		{"vm.dirty_bytes", "0", "vm.dirty_ratio=0"},
		{"vm.overcommit_kbytes", "0x400", "vm.overcommit_kbytes=1024"},
		{"net.ipv4.neigh.eth0.retrans_time", "100", "1000"},
		{"net.ipv4.neigh.eth0.retrans_time_ms", "1000", "1000"},
		{"net.ipv6.neigh.eth0.base_reachable_time", "30", "30000"},
		{"net.ipv6.neigh.eth0.retrans_time", "250", "250"},
		{"net.ipv6.route.gc_min_interval", "18446744073709551615", "18446744073709551615"},
	} {
		if got := sysctl.Value(c.name, c.text); got != item.Text(c.want) {
			t.Errorf("Value(%s, %q) = %s, want %s", c.name, c.text, got, c.want)
		}
	}
}

func TestOrderOfIntegers(t *testing.T) {
	ascending := []string{
		"-9223372036854775808", "-10", "-9", "-1", "0", "1", "9", "10", "9223372036854775807",
		"9223372036854775808", "18446744073709551615",
	}
	for i, a := range ascending {
		for j, b := range ascending {
			got, ok := sysctl.Order(a, b)
			if !ok || (got < 0) != (i < j) || (got > 0) != (i > j) {
				t.Errorf("Order(%s, %s) = %d, %v", a, b, got, ok)
			}
		}
	}
	for _, bad := range []string{"", "a", "1 2", "1.5", "18446744073709551616"} {
		if _, ok := sysctl.Order(bad, "1"); ok {
			t.Errorf("%q has an order", bad)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, n := range []string{"vm.swappiness", "net.ipv4.ip_local_reserved_ports", "net.core.rps_default_mask", "net.ipv4.tcp_allowed_congestion_control", "vm.dirty_bytes", "net.ipv4.neigh.lo.retrans_time"} {
		for _, v := range []string{"0x10", "1\t2", "1-5,7", "-1", "00", "18446744073709551615", "0-18446744073709551615", "", "a b"} {
			f.Add(n, v)
		}
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		n := sysctl.Name(name)
		once := sysctl.Canonical(n, text)
		if twice := sysctl.Canonical(n, once); twice != once {
			t.Errorf("%s: %q -> %q -> %q", n, text, once, twice)
		}
		if strings.ContainsAny(once, "\n\t") || strings.TrimSpace(once) != once {
			t.Errorf("%s: %q -> %q is more than a line", n, text, once)
		}
		sysctl.Value(n, text)
		sysctl.Order(text, once)
	})
}
