package profiles_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// The directories of every node are those that the rest of the program knows.
func TestTheDirectoriesOfANodeAreThoseOfThePaths(t *testing.T) {
	b, _ := profiles.Get("kubernetes")
	list, err := profile.Load("kubernetes", strings.NewReader(string(b.YAML)))
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]string{}
	for _, d := range list[0].Spec.Directories {
		modes[d.Path] = d.Mode
	}
	if want := map[string]string{paths.CNIDir: "", paths.KubeletDir: "0750"}; len(modes) != 2 || modes[paths.CNIDir] != want[paths.CNIDir] || modes[paths.KubeletDir] != want[paths.KubeletDir] {
		t.Errorf("%v", modes)
	}
}
