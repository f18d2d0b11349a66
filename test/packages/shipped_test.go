package packages_test

import (
	"fmt"
	"strings"
	"testing"
)

// hasWhatWeShip asks those who use our files: the shells, man, and people.
func (h host) hasWhatWeShip() {
	h.t.Helper()
	h.has("stat -c '%F %a %U' /etc/hostprofile", "directory 755 root")
	h.has("systemctl daemon-reload; systemctl is-enabled hostprofile || true", "disabled")
	h.has("systemd-analyze verify hostprofile.service && echo fine", "fine")
	for _, page := range []string{"bootstrap", "hostprofile", "bootstrap-up", "bootstrap-exit-codes"} {
		h.has("man --where "+page, "/usr/share/man/man1/")
	}
	for _, name := range []string{"bootstrap", "hostprofile"} {
		h.has(name+" version", "bootstrap "+older+",")
		h.completes(name)
	}
}

// completes wants each shell to find its completion by itself, and to make status of stat.
func (h host) completes(name string) {
	h.t.Helper()
	h.has(fmt.Sprintf(bash, name), "-F __start_bootstrap "+name)
	h.has(fmt.Sprintf(bash, name), "status")
	h.has(fmt.Sprintf(`HOME=/run/test fish -c 'complete -C "%s stat"'`, name), "status")
	h.has(fmt.Sprintf(zsh, name), "_bootstrap")
}

const (
	bash = `bash -c '. /usr/share/bash-completion/bash_completion
_completion_loader %[1]s; complete -p %[1]s
COMP_WORDS=(%[1]s stat) COMP_CWORD=1 COMP_LINE="%[1]s stat" COMP_POINT=${#COMP_LINE}
__start_bootstrap && echo "${COMPREPLY[@]}"'`

	// site-functions is where Fedora's zsh looks.
	zsh = `zsh -c 'fpath+=/usr/share/zsh/site-functions; autoload -U compinit; compinit -u -D; echo ${_comps[%s]}'`
)

func TestTheRpmHasNothingElse(t *testing.T) {
	h := newHost(t)
	file := h.push(newer, ".rpm")
	for _, path := range strings.Fields(h.sh("rpm --query --list --package " + file)) {
		if !allowed(path) {
			t.Errorf("it has %s", path)
		}
	}
	if got := strings.Count(h.sh("rpm --query --scripts --package "+file), "scriptlet"); got != 1 {
		t.Errorf("it has %d scripts", got)
	}
	h.has("rpm --query --info --package "+file, "Apache-2.0")
	h.has("rpm --query --licensefiles --package "+file, "/usr/share/licenses/hostprofile/LICENSE")
	h.has("rpm --checksig --nosignature "+file, "digests OK")
}

func allowed(path string) bool {
	switch path {
	case "/etc/hostprofile", "/usr/bin/bootstrap", "/usr/bin/hostprofile", "/usr/lib/systemd/system/hostprofile.service":
		return true
	}
	for _, folder := range []string{"bash-completion", "fish", "licenses", "man", "zsh"} {
		if strings.HasPrefix(path, "/usr/share/"+folder) {
			return true
		}
	}
	return false
}

// TestVersionsSortAsPeopleMeanThem: the spellings are those that hack/packages writes.
func TestVersionsSortAsPeopleMeanThem(t *testing.T) {
	h := newHost(t)
	versions := []string{"1.2.3~rc.1", "1.2.3~rc.1^4.g1a26372", "1.2.3~rc.2", "1.2.3", "1.2.3^4.gfffffff", "1.2.3^10.g0000000", "1.2.4~rc.1"}
	for i, v := range versions[1:] {
		if got := h.sh(fmt.Sprintf(`rpm --eval '%%{lua: print(rpm.vercmp("%s", "%s"))}'`, versions[i], v)); got != "-1" {
			t.Errorf("rpm compares %s and %s as %s", versions[i], v, got)
		}
		a, b := strings.ReplaceAll(versions[i], "^", "+"), strings.ReplaceAll(v, "^", "+")
		h.has("dpkg --compare-versions "+a+" lt "+b+" && echo before || echo after", "before")
	}
}
