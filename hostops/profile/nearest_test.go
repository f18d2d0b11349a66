package profile_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/profile"
)

func TestNearestWordIsTheOneThatSomebodyMeant(t *testing.T) {
	known := []string{"kubernetes", "kubelet-defaults", "cis", "cilium"}
	for word, want := range map[string]string{
		"cillium": "cilium", "Cilium": "cilium", "clium": "cilium", "kuberentes": "kubernetes", "kubelet-default": "kubelet-defaults", "csi": "cis",
		"calico": "", "x": "", "": "", strings.Repeat("cilium", 100): "",
	} {
		if have, found := profile.Nearest(word, known); have != want || found != (want != "") {
			t.Errorf("%q: have %q, want %q", word, have, want)
		}
	}
}
