package profile_test

import (
	"os"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/profile"
)

// The file is what the source of the kubelet says, in its spelling. When a new version of
// Kubernetes changes it, change the file first.
func TestTableOfKubeletSysctlsIsThatOfTheKubelet(t *testing.T) {
	text, err := os.ReadFile("testdata/kubelet-sysctls.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), " "); found && name != "#" {
			want[strings.ReplaceAll(name, "/", ".")] = value
		}
	}
	for _, sysctl := range profile.KubeletSysctls() {
		if sysctl.Until != "" {
			continue
		}
		if want[sysctl.Name] != sysctl.Value || sysctl.Since == "" {
			t.Errorf("the kubelet wants %q of %s, and the table says %+v", want[sysctl.Name], sysctl.Name, sysctl)
		}
		delete(want, sysctl.Name)
	}
	if len(want) > 0 {
		t.Errorf("the kubelet checks these as well: %v", want)
	}
}
