package sysctl_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func render(t *testing.T, values map[sysctl.Name]string, patterns ...item.Want) string {
	t.Helper()
	lines := make(map[item.Key]item.State)
	for n, v := range values {
		lines[sysctl.Key(n)] = sysctl.Value(n, v)
	}
	state := sysctl.NewBootFile(fake.New().Machine()).Render(lines, patterns)
	if state == item.Absent {
		return ""
	}
	mode, content, err := state.FileContent()
	if err != nil || mode != 0o644 {
		t.Fatalf("mode %o, %v", mode, err)
	}
	return string(content)
}

func TestBootFileIsInTheGrammarThatBothReadersShare(t *testing.T) {
	got := render(t, map[sysctl.Name]string{
		"vm.swappiness":                      "10",
		"net.ipv4.conf.eth0.rp_filter":       "1",
		"net.ipv4.conf.eth0/100.rp_filter":   "2",
		"net.ipv4.conf.all.accept_redirects": "0",
		"net.ipv4.conf.default.rp_filter":    "2",
		"net.ipv4.conf.all.forwarding":       "1",
		"net.ipv4.tcp_rmem":                  "4096\t87380\t6291456",
		"net.ipv4.ip_local_reserved_ports":   "",
		"vm.dirty_bytes":                     "1048576",
	},
		wish("net.ipv4.conf.lxc*.rp_filter", "0"), wish("net.ipv4.conf.lxc1?.rp_filter", "1"),
		wish("net.ipv4.conf.*.rp_filter", "0"), wish("net.ipv4.conf.l*.rp_filter", "0"))
	want := `# Written by hostprofile. Changes are overwritten; set values in a HostProfile.
net.ipv4.ip_forward = 1
net.ipv4.conf.all.accept_redirects = 0
net.ipv4.conf.default.rp_filter = 2
net.ipv4.conf.eth0.rp_filter = 1
net/ipv4/conf/eth0.100/rp_filter = 2
net.ipv4.ip_local_reserved_ports =
net.ipv4.tcp_rmem = 4096 87380 6291456
vm.dirty_bytes = 1048576
vm.swappiness = 10
-net.ipv4.conf.lxc*.rp_filter = 0
-net.ipv4.conf.lxc1?.rp_filter = 1
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNothingToListGivesNoFile(t *testing.T) {
	if got := render(t, nil); got != "" {
		t.Errorf("got %q", got)
	}
	if got := render(t, nil, wish("net.ipv4.conf.lxc*.rp_filter", "0")); !strings.Contains(got, "lxc*") {
		t.Errorf("a file of patterns only: %q", got)
	}
}

func TestLinesKnowWhatTheNextBootSets(t *testing.T) {
	b := sysctl.NewBootFile(fake.New().Machine())
	content := item.FileState(0o644, []byte(`# comment
net.ipv4.conf.all.forwarding = 1
net.ipv4.conf.all.accept_redirects = 1
net/ipv4/conf/eth0.100/rp_filter = 2
vm.dirty_ratio = 20
vm.dirty_bytes = 4096
-net.ipv4.conf.lxc*.rp_filter = 0
net.ipv4.conf.eth0.forwarding = 0
`))
	want := map[sysctl.Name]string{
		"net.ipv4.ip_forward":                "1",
		"net.ipv4.conf.all.accept_redirects": "1", // its own line comes after the master's
		"net.ipv4.conf.default.forwarding":   "1",
		"net.ipv4.conf.lo.forwarding":        "1",
		"net.ipv4.conf.eth0.forwarding":      "0",
		"net.ipv4.conf.eth0/100.rp_filter":   "2",
		"vm.dirty_bytes":                     "4096",
	}
	got := b.Lines(content)
	if len(got) != len(want) {
		t.Errorf("%d lines: %v", len(got), got)
	}
	for n, v := range want {
		if s := got[sysctl.Key(n)]; s != sysctl.Value(n, v) {
			t.Errorf("%s is %s, want %s", n, s, v)
		}
	}
}

func TestLinesOfWhatIsNoFileAreNone(t *testing.T) {
	b := sysctl.NewBootFile(fake.New().Machine())
	for _, s := range []item.State{item.Unknown, item.Absent, item.Text("nonsense")} {
		if got := b.Lines(s); len(got) != 0 {
			t.Errorf("%s: %v", s, got)
		}
	}
}

// FuzzLinesOfRendered: what is rendered is read back as what was asked for.
func FuzzLinesOfRendered(f *testing.F) {
	f.Add("kernel.pid_max", "4096")
	f.Add("net.ipv4.conf.eth0/100.tag", "a b")
	f.Add("vm.dirty_bytes", "0")
	f.Add("net.ipv4.ip_local_reserved_ports", "")
	f.Fuzz(func(t *testing.T, name, value string) {
		n, err := sysctl.ParseName(name)
		if err != nil || n.IsPattern() || strings.ContainsAny(value, "\n\r") {
			return
		}
		b := sysctl.NewBootFile(fake.New(fake.Bare()).Machine())
		k, want := sysctl.Key(n), sysctl.Value(n, value)
		content := b.Render(map[item.Key]item.State{k: want}, nil)
		if !content.Present() {
			return
		}
		if got := b.Lines(content)[k]; got != want {
			t.Errorf("%s=%q is read back as %q", n, want, got)
		}
	})
}

// FuzzRead: any file is read without a panic, by either reader.
func FuzzRead(f *testing.F) {
	f.Add("net.ipv4.ip_forward = 1\n-net.ipv4.conf.*.tag\n- a.b=c\n;x\n/net/ipv4/x=1", "kernel.pid_max")
	f.Add("-", "a.b")
	f.Add("=\n*=*\n[.]=1\n-[=", "vm.dirty_bytes")
	f.Fuzz(func(t *testing.T, content, name string) {
		files := []sysctl.File{{Path: "/etc/sysctl.d/a.conf", Content: content}, {Path: "/etc/sysctl.conf", Content: content}}
		for _, r := range []sysctl.Reader{sysctl.Systemd, sysctl.Procps} {
			sysctl.Read(r, files).Deciding(sysctl.Key(sysctl.Name(name)))
		}
		sysctl.Shadows(files, []item.Want{{Key: sysctl.Key(sysctl.Name(name)), State: item.Text("1")}})
		sysctl.NewBootFile(fake.New(fake.Bare()).Machine()).Lines(item.FileState(0o644, []byte(content)))
	})
}
