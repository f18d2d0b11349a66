package v1alpha1_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/api/v1alpha1/apitest"
)

func TestValidateAgreesWithTheTableOfCases(t *testing.T) {
	for _, c := range apitest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			profile, err := decodeStrictly(t, c.YAML)
			if err != nil {
				if !c.By(apitest.Validate) {
					t.Fatalf("does not decode: %v\n%s", err, c.YAML)
				}
				return
			}
			errs := v1alpha1.Validate(profile)
			switch refused := len(errs) > 0; {
			case refused && !c.By(apitest.Validate):
				t.Fatalf("refused: %v\n%s", errs, c.YAML)
			case !refused && c.By(apitest.Validate):
				t.Fatalf("not refused\n%s", c.YAML)
			case !refused:
				return
			}
			for _, err := range errs {
				if !within(err.Field, c.Field) {
					t.Errorf("want errors at %s only, have %v", c.Field, err)
				}
			}
			if !strings.Contains(errs[0].Detail, c.Message) {
				t.Errorf("want %q in the message, have %q", c.Message, errs[0].Detail)
			}
		})
	}
}

func within(field, outer string) bool {
	rest, found := strings.CutPrefix(field, outer)
	return found && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

func TestTheTableOfCasesHasEnoughCasesWithNamesOfTheirOwn(t *testing.T) {
	cases := apitest.Cases()
	if len(cases) < 120 {
		t.Errorf("%d cases", len(cases))
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.Name] {
			t.Errorf("two cases are called %q", c.Name)
		}
		seen[c.Name] = true
		if (c.RefusedBy == apitest.Nobody) != (c.Message+c.LoaderMessage == "") {
			t.Errorf("%s: a refused case, and no other, has a message", c.Name)
		}
		if c.By(apitest.Validate) && !c.By(apitest.Loader) {
			t.Errorf("%s: the loader refuses all that Validate refuses", c.Name)
		}
	}
	t.Logf("%d cases", len(cases))
}

// decodeStrictly reads YAML the way clients of the API server do.
func decodeStrictly(t *testing.T, text string) (*v1alpha1.HostProfile, error) {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	serializer := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, json.SerializerOptions{Yaml: true, Strict: true})
	profile := &v1alpha1.HostProfile{}
	if _, _, err := serializer.Decode([]byte(text), nil, profile); err != nil {
		return nil, err
	}
	return profile, nil
}
