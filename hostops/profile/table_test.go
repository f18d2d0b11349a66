package profile_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	sigsyaml "sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/api/v1alpha1/apitest"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

func TestLoadAgreesWithTheTableOfCases(t *testing.T) {
	for _, c := range apitest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			loaded, err := profile.Load("site.yaml", strings.NewReader(c.YAML))
			if !c.By(apitest.Loader) {
				wantSameAsDecoded(t, c.YAML, loaded, err)
				return
			}
			errs := inputErrors(t, err)
			if !strings.Contains(errs[0].Message+"; "+errs[0].Hint, c.Message+c.LoaderMessage) {
				t.Errorf("want %q in the message, have %q", c.Message+c.LoaderMessage, errs[0].Error())
			}
			for _, e := range errs {
				if e.Field != c.Field || e.Line == 0 || e.Column == 0 || e.Document != 1 {
					t.Errorf("want every error at %s with its place, have %+v", c.Field, e)
				}
			}
			if len(loaded) != 0 {
				t.Error("profiles come with the errors")
			}
		})
	}
}

// wantSameAsDecoded checks that the loader understands an accepted profile as the clients
// of the API server do.
func wantSameAsDecoded(t *testing.T, text string, loaded []v1alpha1.HostProfile, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("refused: %v\n%s", err, text)
	}
	var decoded v1alpha1.HostProfile
	if err := sigsyaml.UnmarshalStrict([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	want, have := asJSON(t, decoded), asJSON(t, loaded[0])
	if want != have {
		t.Errorf("the API server would see\n%s\nand the loader sees\n%s", want, have)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func inputErrors(t *testing.T, err error) profile.InputErrors {
	t.Helper()
	var errs profile.InputErrors
	if !errors.As(err, &errs) || len(errs) == 0 {
		t.Fatalf("want InputErrors, have %v", err)
	}
	return errs
}
