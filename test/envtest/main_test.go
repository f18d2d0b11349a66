// Package envtest_test tries the CRDs, the manifests and the agent on a real API server.
package envtest_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"go.uber.org/goleak"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/test/envtest/control"
)

// shared is the control plane of the tests that leave nothing behind which others would
// trip over. It starts with the first that asks for it.
var shared struct {
	once  sync.Once
	plane *control.Plane
	err   error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.plane != nil {
		if err := shared.plane.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the control plane:", err)
			code = 1
		}
	}
	// After the server's end: its connections keep goroutines for as long as they are open.
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, "a goroutine is left behind:", err)
		code = 1
	}
	os.Exit(code)
}

// plane returns the shared control plane. A test that stops it, changes its CRDs or
// counts its requests starts one of its own: control.Start(t).
func plane(t *testing.T) *control.Plane {
	t.Helper()
	control.SkipIfShort(t)
	shared.once.Do(func() {
		shared.plane, shared.err = control.Launch(context.Background(), os.Stderr)
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.plane
}

// kubectl runs kubectl as a user who may do everything, and fails the test if it fails.
func kubectl(t *testing.T, args ...string) string {
	t.Helper()
	return kubectlWith(t, "", args...)
}

// kubectlWith runs kubectl with an input.
func kubectlWith(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	out, err := plane(t).Kubectl(t.Context(), stdin, args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// admin is a client that may do everything.
func admin(t *testing.T) client.Client {
	t.Helper()
	c, err := client.New(plane(t).Config, client.Options{Scheme: scheme(t)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// create creates an object, and deletes it after the test.
func create(t *testing.T, c client.Client, object client.Object) {
	t.Helper()
	if err := c.Create(t.Context(), object); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.IgnoreNotFound(c.Delete(context.Background(), object)); err != nil {
			t.Errorf("delete %s: %v", object.GetName(), err)
		}
	})
}

// scheme knows Kubernetes' own kinds and ours.
func scheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(s); err != nil {
			t.Fatal(err)
		}
	}
	return s
}
