package contract

import (
	"errors"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// set writes a sysctl that must be taken.
func set(t *testing.T, m *machine.Machine, path, value string) {
	t.Helper()
	if err := m.Proc.WriteSysctl(path, value); err != nil {
		t.Fatalf("write %s = %q: %v", path, value, err)
	}
}

// reads holds a sysctl against a value.
func reads(t *testing.T, m *machine.Machine, path, want string) {
	t.Helper()
	if got := get(t, m, path); got != want {
		t.Errorf("%s reads as %q, want %q", path, got, want)
	}
}

func get(t *testing.T, m *machine.Machine, path string) string {
	t.Helper()
	v, err := m.Proc.ReadSysctl(path)
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return v
}

// fails holds an error against the one that callers match.
func fails(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v, want %q", what, err, want)
	}
}

func works(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// holds holds a file against a content.
func holds(t *testing.T, m *machine.Machine, path, want string) {
	t.Helper()
	got, err := m.Files.Read(path)
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	if string(got) != want {
		t.Errorf("%s holds %q, want %q", path, got, want)
	}
}
