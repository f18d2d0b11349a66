package envtest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/test/envtest/control"
)

// kustomization returns where a folder of manifests is.
func kustomization(t *testing.T, name string) string {
	t.Helper()
	path, err := control.File(filepath.Join("config", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// The way into a cluster that runs: look at what would change, then enforce it.
func TestBuiltinProfilesArePlannedFirstAndEnforcedThen(t *testing.T) {
	t.Cleanup(func() { kubectlAfter(t, "delete", "--ignore-not-found", "-k", kustomization(t, "profiles")) })
	kubectl(t, "apply", "-k", kustomization(t, "profiles/plan"))
	wantModes(t, "Plan")
	kubectl(t, "apply", "-k", kustomization(t, "profiles"))
	wantModes(t, "")

	_, err := plane(t).Kubectl(t.Context(), "", "apply", "-k", kustomization(t, "profiles/plan"))
	if err == nil || strings.Count(err.Error(), "spec.mode: Forbidden") != len(profiles.All()) {
		t.Errorf("planning what is enforced: %v", err)
	}
	wantModes(t, "")
}

func TestBuiltinProfilesAreAppliedByTheServerToo(t *testing.T) {
	t.Cleanup(func() { kubectlAfter(t, "delete", "--ignore-not-found", "-k", kustomization(t, "profiles")) })
	kubectl(t, "apply", "--server-side", "-k", kustomization(t, "profiles/plan"))
	kubectl(t, "apply", "--server-side", "-k", kustomization(t, "profiles"))
	wantModes(t, "")
}

// wantModes checks the mode of every built-in profile.
func wantModes(t *testing.T, want string) {
	t.Helper()
	for _, builtin := range profiles.All() {
		have := kubectl(t, "get", "hostprofile", builtin.Name, "-o", "jsonpath={.spec.mode}")
		if have != want {
			t.Errorf("%s has mode %q, want %q", builtin.Name, have, want)
		}
	}
}
