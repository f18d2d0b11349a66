package tuned_test

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/tuned"
)

const throughput = `#
# tuned configuration
#
[main]
summary=Broadly applicable tuning
include=base, site-base

[cpu]
governor=performance

[sysctl]
; comment
kernel.sched_min_granularity_ns = 10000000
vm.dirty_ratio = 40
net.core.somaxconn=>2048
net.ipv4.tcp_rmem="4096 87380	16777216"
vm.dirty_background_bytes=${bytes}

[other]
type=sysctl
vm.swappiness=10

[off]
type=sysctl
enabled=false
vm.swappiness=99
`

func TestTheSettingsOfTheActiveProfilesAreRead(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/tuned/active_profile", "throughput-performance\n")
	h.PutFile("/usr/lib/tuned/throughput-performance/tuned.conf", throughput)
	h.PutFile("/usr/lib/tuned/profiles/base/tuned.conf", "[main]\ninclude=throughput-performance\n[sysctl]\nvm.dirty_ratio=20\nvm.max_map_count=1\n")
	a, ok := tuned.Read(h.Machine())
	if !ok || !a.Reapplies || !slices.Equal(a.Profiles, []string{"throughput-performance"}) {
		t.Fatalf("%+v, %v", a, ok)
	}
	const file = "/usr/lib/tuned/throughput-performance/tuned.conf"
	want := []tuned.Setting{
		{Name: "vm.dirty_ratio", Value: "40", File: file, Line: 14},
		{Name: "vm.max_map_count", Value: "1", File: "/usr/lib/tuned/profiles/base/tuned.conf", Line: 5},
		{Name: "kernel.sched_min_granularity_ns", Value: "10000000", File: file, Line: 13},
		{Name: "net.core.somaxconn", Value: "2048", Bound: ">", File: file, Line: 15},
		{Name: "net.ipv4.tcp_rmem", Value: "4096 87380 16777216", File: file, Line: 16},
		{Name: "vm.dirty_background_bytes", Value: "${bytes}", Computed: true, File: file, Line: 17},
		{Name: "vm.swappiness", Value: "10", File: file, Line: 21},
	}
	if !slices.Equal(a.Settings, want) {
		t.Errorf("got\n%+v\nwant\n%+v", a.Settings, want)
	}
}

func TestAnAdminsProfileHidesTheVendors(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/tuned/active_profile", "a b")
	h.PutFile("/etc/tuned/tuned-main.conf", "daemon = 1\nreapply_sysctl = 0\n")
	h.PutFile("/usr/lib/tuned/a/tuned.conf", "[sysctl]\nvm.swappiness=1\n")
	h.PutFile("/etc/tuned/a/tuned.conf", "[sysctl]\nvm.swappiness=2\n")
	h.PutFile("/usr/lib/tuned/b/tuned.conf", "[sysctl]\nvm.swappiness=3\n")
	a, ok := tuned.Read(h.Machine())
	if !ok || a.Reapplies || len(a.Settings) != 1 || a.Settings[0].Value != "3" {
		t.Errorf("%+v", a)
	}
	h.Delete("/usr/lib/tuned/b/tuned.conf")
	if a, _ := tuned.Read(h.Machine()); len(a.Settings) != 1 || a.Settings[0].File != "/etc/tuned/a/tuned.conf" {
		t.Errorf("%+v", a)
	}
	h.PutFile("/etc/tuned/active_profile", "\n")
	if a, ok := tuned.Read(h.Machine()); ok {
		t.Errorf("%+v", a)
	}
}

func FuzzProfile(f *testing.F) {
	f.Add(throughput)
	f.Add("[main]\ninclude=a a,a\n")
	f.Fuzz(func(t *testing.T, content string) {
		h := fake.New()
		h.PutFile("/etc/tuned/active_profile", "a")
		h.PutFile("/etc/tuned/a/tuned.conf", content)
		a, _ := tuned.Read(h.Machine())
		for _, s := range a.Settings {
			if s.Line < 1 || s.File == "" {
				t.Errorf("%+v", s)
			}
		}
	})
}
