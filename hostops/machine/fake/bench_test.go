package fake_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func BenchmarkReadSysctl(b *testing.B) {
	m := fake.New().Machine()
	for b.Loop() {
		if _, err := m.Proc.ReadSysctl("vm/swappiness"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteSysctl(b *testing.B) {
	m := fake.New().Machine()
	for b.Loop() {
		if err := m.Proc.WriteSysctl("vm/swappiness", "10"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteFile(b *testing.B) {
	m := fake.New().Machine()
	content := [][]byte{[]byte("one"), []byte("two")}
	for i := 0; b.Loop(); i++ {
		if err := m.Files.Write("/etc/sysctl.d/zz-hostprofile.conf", content[i&1], 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReboot(b *testing.B) {
	h := fake.New()
	h.PutFile("/etc/sysctl.d/10-admin.conf", "net.ipv4.ip_forward = 1\nvm.swappiness = 10\n")
	for b.Loop() {
		h.Reboot()
	}
}

func BenchmarkClone(b *testing.B) {
	for _, c := range []struct {
		name string
		host *fake.Host
	}{
		{"catalog", fake.New()},
		{"bare", fake.New(fake.Bare(), fake.Sysctl("a/b", "0"), fake.Sysctl("a/c", "0"))},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				c.host.Clone()
			}
		})
	}
}
