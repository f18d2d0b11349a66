package packages_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// host is a container with a package manager, and with all that reads what we ship.
type host struct {
	*testbed.Container
	t *testing.T
}

func newHost(t *testing.T) host {
	t.Helper()
	needsBuild(t)
	return host{testbed.StartContainer(t, testbed.ContainerOptions{
		Packages: []string{"bash-completion", "fish", "man-db", "rpm", "zsh"},
	}), t}
}

// sh runs a line of shell that must end well, and returns what it printed, errors too.
func (h host) sh(line string) string {
	h.t.Helper()
	return testbed.Output(h.t, h, "sh", "-c", "{ "+line+"\n} 2>&1")
}

// push copies a package into the container and returns where it is there.
func (h host) push(version, suffix string) string {
	h.t.Helper()
	local := find(h.t, version, suffix)
	remote := "/run/test/" + filepath.Base(local)
	if err := h.Push(h.t.Context(), local, remote, 0o644); err != nil {
		h.t.Fatal(err)
	}
	return remote
}

// has wants a line of shell to print a text.
func (h host) has(line, want string) {
	h.t.Helper()
	if got := h.sh(line); !strings.Contains(got, want) {
		h.t.Errorf("%s printed no %q:\n%s", line, want, got)
	}
}

// hasNot wants a line of shell not to print a text.
func (h host) hasNot(line, unwanted string) {
	h.t.Helper()
	if got := h.sh(line); strings.Contains(got, unwanted) {
		h.t.Errorf("%s printed %q:\n%s", line, unwanted, got)
	}
}
