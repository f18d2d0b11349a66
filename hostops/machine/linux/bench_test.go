package linux_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// ownNetwork gives the benchmark's thread a network namespace of its own with enough
// interfaces for n keys. /proc/sys/net is the thread's.
func ownNetwork(b *testing.B, n int) []string {
	b.Helper()
	if os.Geteuid() != 0 {
		b.Skip("needs root")
	}
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		b.Skip(err)
	}
	var keys []string
	for i := 0; len(keys) < n; i++ {
		name := fmt.Sprintf("x%d", i)
		if err := netlink.LinkAdd(&netlink.Bridge{LinkAttrs: netlink.LinkAttrs{Name: name}}); err != nil {
			b.Fatal(err)
		}
		paths, _ := filepath.Glob("/proc/sys/net/ipv4/conf/" + name + "/*")
		for _, path := range paths {
			if filepath.Base(path) != "mc_forwarding" {
				keys = append(keys, path[len("/proc/sys/"):])
			}
		}
	}
	return keys[:n]
}

const thousand = 1000

// The work of a run: read all, write all, read all back, every file opened anew.
func BenchmarkSysctlsCold(b *testing.B) {
	keys := ownNetwork(b, thousand)
	for b.Loop() {
		m, err := linux.New("/")
		if err != nil {
			b.Fatal(err)
		}
		values := make(map[string]string, len(keys))
		for _, key := range keys {
			if values[key], err = m.Proc.ReadSysctl(key); err != nil {
				b.Fatal(err)
			}
		}
		for _, key := range keys {
			if err := m.Proc.WriteSysctl(key, values[key]); err != nil {
				b.Fatal(err)
			}
		}
		for _, key := range keys {
			if got, err := m.Proc.ReadSysctl(key); err != nil || got != values[key] {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		runtime.GC()
		b.StartTimer()
	}
}

// What the kernel alone takes for it: open, read, write, read, close.
func BenchmarkSysctlsLimit(b *testing.B) {
	keys := ownNetwork(b, thousand)
	buf := make([]byte, 4096)
	for b.Loop() {
		for _, key := range keys {
			fd, err := unix.Open("/proc/sys/"+key, unix.O_RDWR|unix.O_CLOEXEC, 0)
			if err != nil {
				b.Fatal(err)
			}
			n, _ := unix.Pread(fd, buf, 0)
			_, _ = unix.Pwrite(fd, buf[:n], 0)
			_, _ = unix.Pread(fd, buf, 0)
			_ = unix.Close(fd)
		}
	}
}

// What the agent does every second: read what is open already.
func BenchmarkReadSysctl(b *testing.B) {
	m, err := linux.New("/")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Proc.ReadSysctl("kernel/panic"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLinkIndex(b *testing.B) {
	m, err := linux.New("/")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Network.LinkIndex("lo"); err != nil {
			b.Fatal(err)
		}
	}
}
