package wish_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
)

// What is taken from the cluster is what an author could have written today, whatever was
// stored before; all else has a problem that can be told.
func FuzzRead(f *testing.F) {
	for _, spec := range []string{
		`{"nodeSelector":{},"sysctls":[{"name":"vm.swappiness","value":10}]}`,
		`{"nodeSelector":{},"sysctls":[{"name":"kernel.core_pattern","value":"|/bin/x"}]}`,
		`{"nodeSelector":{"matchExpressions":[{"key":"a","operator":"Maybe"}]},"colour":"red"}`,
		`{"sysctls":[{"name":"a.b","value":1e400}]}`,
		`null`,
	} {
		f.Add([]byte(`{"metadata":{"name":"a","uid":"u","generation":1},"spec":` + spec + `}`))
	}
	f.Add([]byte(`{}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		found, ok := wish.Read(object)
		switch {
		case !ok:
			return
		case found.Name == "":
			t.Error("a profile without a name")
		case found.Profile == nil && found.Problem == "":
			t.Error("it is not understood, and nothing is wrong")
		case found.Profile != nil && (found.Problem != "" || len(v1alpha1.Validate(found.Profile)) > 0):
			t.Errorf("%s was taken, although %s, %v", object, found.Problem, v1alpha1.Validate(found.Profile))
		}
	})
}
