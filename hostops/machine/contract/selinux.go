package contract

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// SELinuxWorld is a host with SELinux on, whose files and labels a test may change. Its
// policy is a usual one: what is below /etc is etc_t, programs below /opt are bin_t, and
// what is below /srv is neither. It has semanage.
type SELinuxWorld interface {
	Machine() *machine.Machine
	// Chcon gives a file or folder a label.
	Chcon(path, label string)
	// LabelOf is the label that a file or folder has.
	LabelOf(path string) string
	PutFile(path, content string)
}

type selinuxSentence struct {
	says  string
	prove func(t *testing.T, w SELinuxWorld, m *machine.Machine)
}

// RunSELinux proves every sentence about SELinux. The worlds may share one host: each
// sentence takes back what it did.
func RunSELinux(t *testing.T, world func(*testing.T) SELinuxWorld) {
	for _, s := range selinuxSentences {
		t.Run(s.says, func(t *testing.T) {
			w := world(t)
			s.prove(t, w, w.Machine())
		})
	}
}

const (
	labelled  = "/etc/contract.conf"
	programs  = "/srv/contract/bin(/.*)?"
	program   = "/srv/contract/bin/program"
	etcType   = "etc_t"
	otherType = "bin_t"
)

var selinuxSentences = []selinuxSentence{
	{"SELinux is on, and knows its types", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		mode, err := m.SELinux.SELinuxMode()
		works(t, "ask for the mode", err)
		if mode != machine.SELinuxPermissive && mode != machine.SELinuxEnforcing {
			t.Errorf("SELinux is %q", mode)
		}
		for name, want := range map[string]bool{otherType: true, "no_such_type_t": false} {
			if got, err := m.SELinux.HasType(name); got != want || err != nil {
				t.Errorf("type %s: %v, %v", name, got, err)
			}
		}
	}},
	{"a path has a type, whether something is there or not", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		for path, want := range map[string]string{labelled: etcType, "/opt/none/bin/x": otherType} {
			if got, err := m.SELinux.TypeFor(path, false); got != want || err != nil {
				t.Errorf("%s is %q, %v", path, got, err)
			}
		}
	}},
	{"what is written has the type of its path at once, and user and range of what was there", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		write := func(content string) {
			t.Helper()
			works(t, "write", m.Files.Write(labelled, []byte(content), 0o600))
		}
		write("a")
		defer func() { works(t, "remove", m.Files.Remove(labelled)) }()
		mustBeLabelled(t, w, labelled, ":object_r:"+etcType+":s0")
		w.Chcon(labelled, "system_u:object_r:"+otherType+":s0:c1,c2")
		write("b")
		mustBeLabelled(t, w, labelled, "system_u:object_r:"+etcType+":s0:c1,c2")
	}},
	{"a folder that is made has the type of its path", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		const folder = "/etc/contract.d"
		works(t, "mkdir", m.Files.Mkdir(folder, 0o755))
		defer func() { works(t, "rmdir", m.Files.Rmdir(folder)) }()
		mustBeLabelled(t, w, folder, ":object_r:"+etcType+":s0")
	}},
	{"a file gets its type back, and keeps its range", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		works(t, "write", m.Files.Write(labelled, nil, 0o600))
		defer func() { works(t, "remove", m.Files.Remove(labelled)) }()
		is := "system_u:object_r:" + otherType + ":s0:c7"
		w.Chcon(labelled, is)
		have, want, err := m.SELinux.Label(labelled)
		if should := "system_u:object_r:" + etcType + ":s0:c7"; have != is || want != should || err != nil {
			t.Errorf("it is %s and should be %s, %v", have, want, err)
		}
		works(t, "relabel", m.SELinux.Relabel(labelled))
		mustBeLabelled(t, w, labelled, want)
	}},
	{"what is missing has no label", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		_, _, err := m.SELinux.Label("/etc/none")
		fails(t, "read the label", err, fs.ErrNotExist)
		fails(t, "relabel", m.SELinux.Relabel("/etc/none"), fs.ErrNotExist)
	}},
	{"a type is registered, changed and taken back", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		was, err := m.SELinux.TypeFor(program, false)
		works(t, "look", err)
		for _, typ := range []string{otherType, etcType, ""} {
			works(t, "register "+typ, m.SELinux.SetFileContext(t.Context(), programs, typ))
			if got, err := m.SELinux.FileContext(programs); got != typ || err != nil {
				t.Errorf("registered is %q, %v; want %q", got, err, typ)
			}
			want := typ
			if typ == "" {
				want = was
			}
			if got, err := m.SELinux.TypeFor(program, false); got != want || err != nil {
				t.Errorf("the program is %q, %v; want %q", got, err, want)
			}
		}
		works(t, "take back again", m.SELinux.SetFileContext(t.Context(), programs, ""))
	}},
	{"a type that the policy has not is refused", func(t *testing.T, w SELinuxWorld, m *machine.Machine) {
		if err := m.SELinux.SetFileContext(t.Context(), programs, "no_such_type_t"); err == nil {
			t.Error("no error")
		}
		if got, err := m.SELinux.FileContext(programs); got != "" || err != nil {
			t.Errorf("registered is %q, %v", got, err)
		}
	}},
}

// mustBeLabelled compares the end of a label: who made a file is its user.
func mustBeLabelled(t *testing.T, w SELinuxWorld, path, want string) {
	t.Helper()
	if got := w.LabelOf(path); !strings.HasSuffix(got, want) {
		t.Errorf("%s is %s, want %s", path, got, want)
	}
}
