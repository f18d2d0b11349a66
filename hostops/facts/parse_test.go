package facts_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hostprofile/hostprofile/hostops/facts"
)

// Release strings that kernels really have.
var releases = []struct {
	raw                 string
	major, minor, patch int
	el8                 int
}{
	{"5.10.0-rc1+", 5, 10, 0, 0},
	{"6.12.74+deb13+1-amd64", 6, 12, 74, 0},
	{"4.3.5-300.fc23.x86_64", 4, 3, 5, 0},
	{"5.4.89+", 5, 4, 89, 0},
	{"3.10-trunk-x", 3, 10, 0, 0},
	{"3.10-trunk", 3, 10, 0, 0},
	{"4.4.180_x", 4, 4, 180, 0},
	{"4.19.57.300-v8", 4, 19, 57, 0},
	{"5.15.167.4-microsoft-standard", 5, 15, 167, 0},
	{"4.19.300", 4, 19, 300, 0},
	{"6.1.0-18-cloud-amd64", 6, 1, 0, 0},
	{"5.15.0-1056-gke", 5, 15, 0, 0},
	{"4.14.336-257.562.amzn2.x86_64", 4, 14, 336, 0},
	{"6.8.0-rc7+", 6, 8, 0, 0},
	{"5.4.0.", 5, 4, 0, 0},
	{"10.0", 10, 0, 0, 0},
	{"4.18.0-553.el8_10.x86_64", 4, 18, 0, 553},
	{"4.18.0-553.16.1.el8_10.x86_64", 4, 18, 0, 553},
	{"4.18.0-80.el8.x86_64", 4, 18, 0, 80},
	{"4.18.0-553.el9.x86_64", 4, 18, 0, 0},
	{"4.18.0-generic", 4, 18, 0, 0},
	{"4.18.1-553.el8.x86_64", 4, 18, 1, 0},
	{"5.14.0-427.el9.x86_64", 5, 14, 0, 0},
}

func TestParseRelease(t *testing.T) {
	for _, c := range releases {
		r, err := facts.ParseRelease(c.raw)
		if err != nil || !r.Known || r.Raw != c.raw {
			t.Errorf("%s: %+v, %v", c.raw, r, err)
		}
		if r.Major != c.major || r.Minor != c.minor || r.Patch != c.patch || r.EL8 != c.el8 {
			t.Errorf("%s: %+v, want %d.%d.%d, el8 %d", c.raw, r, c.major, c.minor, c.patch, c.el8)
		}
	}
	for _, raw := range []string{"", "garbage", "v5.4.0", "5", "5.", ".5.4", "5.x", "-5.4", "99999999999999999999.1", " 5.4"} {
		if r, err := facts.ParseRelease(raw); err == nil || r.Known || r.Raw != raw {
			t.Errorf("%q: %+v, %v", raw, r, err)
		}
	}
}

func TestReleasesCompareByNumber(t *testing.T) {
	for raw, want := range map[string]int{
		"4.19.56": -1, "4.19.57": 0, "4.19.300": 1, "4.20-x": 1, "5.0.0": 1, "4.9.300": -1, "3.200.0": -1, "4.19": -1,
	} {
		r, err := facts.ParseRelease(raw)
		if got := r.Compare(4, 19, 57); err != nil || got != want {
			t.Errorf("%s compares with 4.19.57 as %d, want %d (%v)", raw, got, want, err)
		}
	}
}

func FuzzParseRelease(f *testing.F) {
	for _, c := range releases {
		f.Add(c.raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		r, err := facts.ParseRelease(raw)
		if r.Raw != raw || r.Known != (err == nil) {
			t.Errorf("%+v, %v", r, err)
		}
		if r.Major < 0 || r.Minor < 0 || r.Patch < 0 || r.EL8 < 0 {
			t.Errorf("%+v", r)
		}
	})
}

func TestParseOSRelease(t *testing.T) {
	for text, want := range map[string]facts.OS{
		"": {ID: "linux", PrettyName: "Linux"},
		"ID=fedora\nVERSION_ID=42\nPRETTY_NAME=\"Fedora Linux 42\"\nID_LIKE=\"rhel centos\"": {
			ID: "fedora", VersionID: "42", PrettyName: "Fedora Linux 42", IDLike: []string{"rhel", "centos"}},
		"# ID=no\n\nID='alpine'\nnonsense\n=x\nPRETTY_NAME='It'\\''s Linux'\n": {ID: "alpine", PrettyName: "It's Linux"},
		"ID=\"\"\nPRETTY_NAME=\n":                      {ID: "linux", PrettyName: "Linux"},
		"PRETTY_NAME=\"a \\\"b\\\" \\$c \\\\\"":        {ID: "linux", PrettyName: `a "b" $c \`},
		"PRETTY_NAME=\"a\x1b[31m\x00b\"\nID=\"x\xff\"": {ID: "x", PrettyName: "a[31mb"},
	} {
		got := facts.ParseOSRelease(text)
		if got.ID != want.ID || got.VersionID != want.VersionID || got.PrettyName != want.PrettyName || !slices.Equal(got.IDLike, want.IDLike) {
			t.Errorf("%q:\n got %+v\nwant %+v", text, got, want)
		}
	}
}

func FuzzParseOSRelease(f *testing.F) {
	f.Add("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n")
	f.Add("PRETTY_NAME='It'\\''s'\\")
	f.Fuzz(func(t *testing.T, text string) {
		os := facts.ParseOSRelease(text)
		for _, s := range append(os.IDLike, os.ID, os.VersionID, os.PrettyName) {
			if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
				t.Errorf("%q is not for printing", s)
			}
		}
		if os.ID == "" || os.PrettyName == "" {
			t.Errorf("%+v has no name", os)
		}
	})
}

// What is mounted at /sys/fs/cgroup decides, not what else is mounted.
func TestParseCgroupMode(t *testing.T) {
	const (
		pure    = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
		tmpfs   = "tmpfs /sys/fs/cgroup tmpfs ro,nosuid 0 0\n"
		memory  = "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
		unified = "cgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n"
		other   = "proc /proc proc rw 0 0\ncgroup2 /run/elsewhere cgroup2 rw 0 0\n"
	)
	for text, want := range map[string]facts.CgroupMode{
		"": facts.NoCgroup, other: facts.NoCgroup, "\n x\n": facts.NoCgroup,
		other + pure:             facts.Unified,
		tmpfs + memory:           facts.Legacy,
		tmpfs + memory + unified: facts.Hybrid,
		tmpfs + unified + memory: facts.Hybrid,
		tmpfs + unified + pure:   facts.Unified,
		pure + tmpfs + memory:    facts.Legacy,
		pure + memory:            facts.Unified,
		tmpfs:                    facts.Legacy,
	} {
		if got := facts.ParseCgroupMode(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestParseMeminfo(t *testing.T) {
	got, err := facts.ParseMeminfo("MemTotal:       24689724 kB\nMemFree:        11 kB\nMemAvailable:   20000000 kB\n")
	if want := (facts.Memory{Total: 24689724 << 10, Available: 20000000 << 10}); err != nil || got != want {
		t.Errorf("%+v, %v", got, err)
	}
	for _, text := range []string{
		"", "MemTotal: 1 kB\n", "MemAvailable: 1\n", "MemAvailable: x kB\n", "MemAvailable: -1 kB\n", "MemAvailable: 1 MB\n",
		"MemAvailable: 99999999999999999999 kB\n", "MemAvailable: 18446744073709551615 kB\n",
	} {
		if got, err := facts.ParseMeminfo(text); err == nil || got != (facts.Memory{}) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func FuzzParseMeminfo(f *testing.F) {
	f.Add("MemTotal:       24689724 kB\nMemAvailable:   20000000 kB\n")
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := facts.ParseMeminfo(text); err != nil && m != (facts.Memory{}) || m.Available%1024 != 0 {
			t.Errorf("%+v, %v", m, err)
		}
	})
}

func TestParseMachineID(t *testing.T) {
	for text, want := range map[string]string{
		"0123456789abcdef0123456789abcdef\n": "0123456789abcdef0123456789abcdef", "": "", "\n": "", "uninitialized\n": "",
	} {
		if got, err := facts.ParseMachineID(text); err != nil || got != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for _, text := range []string{"x", "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcde", strings.Repeat("0", 32), strings.Repeat("a", 33)} {
		if got, err := facts.ParseMachineID(text); err == nil || got != "" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func FuzzParseCgroupMode(f *testing.F) {
	f.Add("cgroup2 /sys/fs/cgroup cgroup2 rw 0 0\n")
	f.Add("tmpfs /sys/fs/cgroup tmpfs ro 0 0\ncgroup2 /sys/fs/cgroup/unified cgroup2 rw 0 0\n")
	f.Fuzz(func(t *testing.T, mounts string) {
		mode := facts.ParseCgroupMode(mounts)
		// What is mounted last hides all before it.
		if got := facts.ParseCgroupMode(mounts + "\nx /sys/fs/cgroup cgroup2 rw 0 0\n"); got != facts.Unified {
			t.Errorf("%q is %q, and under version 2 %q", mounts, mode, got)
		}
	})
}

func FuzzParseMachineID(f *testing.F) {
	f.Add("0123456789abcdef0123456789abcdef\n")
	f.Add("uninitialized\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if id, err := facts.ParseMachineID(text); err == nil && id != "" && len(id) != 32 {
			t.Errorf("%q has the id %q", text, id)
		}
	})
}
