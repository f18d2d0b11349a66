package profile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/api/v1alpha1/apitest"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// Whatever a file holds, it gives valid profiles or mistakes that can be shown, and never
// both.
func FuzzLoad(f *testing.F) {
	for _, c := range apitest.Cases() {
		if len(c.YAML) < 1000 {
			f.Add([]byte(c.YAML))
		}
	}
	files, _ := filepath.Glob("testdata/bad/*.yaml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		profiles, err := profile.Load("fuzz.yaml", bytes.NewReader(text))
		if err != nil {
			wantPresentable(t, profiles, err)
			return
		}
		if len(profiles) == 0 {
			t.Fatal("neither a profile nor a mistake")
		}
		for i := range profiles {
			wantStable(t, &profiles[i])
		}
		if len(profiles) == 1 && !bytes.Contains(text, []byte("---")) {
			wantSameForKubectl(t, text, &profiles[0])
		}
	})
}

func wantPresentable(t *testing.T, profiles []v1alpha1.HostProfile, err error) {
	var errs profile.InputErrors
	if !errors.As(err, &errs) || len(errs) == 0 || profiles != nil {
		t.Fatalf("have %v with %d profiles", err, len(profiles))
	}
	for _, e := range errs {
		if e.Message == "" || e.Reason == "" || e.File == "" {
			t.Fatalf("have %+v", e)
		}
	}
	var shown strings.Builder
	if err := errs.WriteText(&shown); err != nil {
		t.Fatal(err)
	}
	for _, r := range shown.String() + errs.Error() {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("a terminal would get %U", r)
		}
	}
	if _, err := json.Marshal(errs); err != nil {
		t.Fatal(err)
	}
}

// wantStable checks that a profile is valid and stays the same when it is written to a
// file and read again.
func wantStable(t *testing.T, p *v1alpha1.HostProfile) {
	if errs := v1alpha1.Validate(p); len(errs) > 0 {
		t.Fatalf("accepted, and yet %v", errs)
	}
	text, err := sigsyaml.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	again, err := profile.Load("again.yaml", bytes.NewReader(text))
	if err != nil || len(again) != 1 {
		t.Fatalf("written as\n%s\nand then %v", text, err)
	}
	if want, have := asJSON(t, p), asJSON(t, again[0]); want != have {
		t.Fatalf("%s became %s", want, have)
	}
}

// wantSameForKubectl checks that the other reader of the same file, if it takes it at all,
// wants the same of a host.
func wantSameForKubectl(t *testing.T, text []byte, p *v1alpha1.HostProfile) {
	var other v1alpha1.HostProfile
	if err := sigsyaml.Unmarshal(text, &other); err != nil {
		return
	}
	if want, have := asJSON(t, other.Spec), asJSON(t, p.Spec); want != have {
		t.Fatalf("kubectl sees %s and we see %s", want, have)
	}
}
