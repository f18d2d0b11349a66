package cluster

import (
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

type answers func(r *http.Request) *http.Response

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r), nil }

// "unknown" helps nobody who looks for what keeps a report from being written.
func TestARefusalIsToldInTheWordsOfTheServer(t *testing.T) {
	const said = "hostprofilestatuses \\\"node-1\\\" is forbidden: exceeded quota"
	for _, c := range []struct{ body, want string }{
		{`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"` + said + `","reason":"Forbidden","code":403}`, `hostprofilestatuses "node-1" is forbidden: exceeded quota`},
		{`{}`, "unknown"},
		{`nonsense`, "unknown"},
	} {
		a, err := newAPI(&rest.Config{Host: "http://server", Transport: answers(func(r *http.Request) *http.Response {
			return answered(r, http.StatusForbidden, c.body)
		})}, "node-1", "test")
		if err != nil {
			t.Fatal(err)
		}
		_, written := a.apply(t.Context(), statusPath+"node-1", []byte("{}"))
		_, read := a.get(t.Context(), crdPath)
		for _, err := range []error{written, read} {
			if err == nil || err.Error() != c.want || !apierrors.IsForbidden(err) {
				t.Errorf("%v, want %s", err, c.want)
			}
		}
	}
}
