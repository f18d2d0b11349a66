package linux_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
)

// TestTheRealSELinuxKeepsTheContract runs in the virtual machine of test/vm that has
// SELinux, whose files it may change.
func TestTheRealSELinuxKeepsTheContract(t *testing.T) {
	host, err := os.ReadFile("/proc/sys/kernel/hostname")
	must(t, err)
	if exec.Command("selinuxenabled").Run() != nil || !strings.HasPrefix(string(host), "hostprofile-vm") {
		t.Skip("needs a VM with SELinux: runs by TestSELinux of test/vm")
	}
	contract.RunSELinux(t, func(t *testing.T) contract.SELinuxWorld { return selinuxWorld{t} })
}

type selinuxWorld struct{ t *testing.T }

func (w selinuxWorld) Machine() *machine.Machine {
	w.t.Helper()
	m, err := linux.New("/")
	must(w.t, err)
	return m
}

func (w selinuxWorld) Chcon(path, label string) {
	w.t.Helper()
	if out, err := exec.Command("chcon", label, path).CombinedOutput(); err != nil {
		w.t.Fatalf("%v: %s", err, out)
	}
}

func (w selinuxWorld) LabelOf(path string) string {
	w.t.Helper()
	out, err := exec.Command("stat", "-c", "%C", path).Output()
	must(w.t, err)
	return strings.TrimSpace(string(out))
}

func (w selinuxWorld) PutFile(path, content string) {
	w.t.Helper()
	must(w.t, os.WriteFile(path, []byte(content), 0o644))
}

// Without SELinux nothing has a label, and nothing fails because of that.
func TestWithoutSELinuxThereAreNoLabels(t *testing.T) {
	if exec.Command("selinuxenabled").Run() == nil {
		t.Skip("needs a machine without SELinux")
	}
	root := t.TempDir()
	m, err := linux.New(root)
	must(t, err)
	mode, err := m.SELinux.SELinuxMode()
	if mode != machine.SELinuxOff || err != nil {
		t.Errorf("SELinux is %s, %v", mode, err)
	}
	must(t, m.Files.Write("/f", []byte("x"), 0o600))
	must(t, m.Files.Mkdir("/d", 0o755))
	for _, path := range []string{"/f", "/d"} {
		if have, want, err := m.SELinux.Label(path); have != "" || want != "" || err != nil {
			t.Errorf("%s: %q, %q, %v", path, have, want, err)
		}
		must(t, m.SELinux.Relabel(path))
	}
	for _, typ := range []string{"", "bin_t"} {
		if got, err := m.SELinux.FileContext("/x"); got != "" || err != nil {
			t.Errorf("registered is %q, %v", got, err)
		}
		if err := m.SELinux.SetFileContext(t.Context(), "/x", typ); (err == nil) != (typ == "") {
			t.Errorf("register %q: %v", typ, err)
		}
	}
}
