package control_test

import (
	"os"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/test/envtest/control"
)

// What an agent sees of an API server that goes away and comes back.
func TestServerComesBackWithItsDataAtTheSameAddress(t *testing.T) {
	p := control.Start(t)
	profile := &v1alpha1.HostProfile{ObjectMeta: metav1.ObjectMeta{Name: "site"}, Spec: v1alpha1.HostProfileSpec{NodeSelector: &metav1.LabelSelector{}}}
	server := connect(t, p)
	if err := server.Create(t.Context(), profile); err != nil {
		t.Fatal(err)
	}
	if err := p.StopServer(); err != nil {
		t.Fatal(err)
	}
	if err := server.Get(t.Context(), client.ObjectKeyFromObject(profile), &v1alpha1.HostProfile{}); err == nil {
		t.Error("it answers while it is stopped")
	}
	if err := p.StartServer(); err != nil {
		t.Fatal(err)
	}
	have := &v1alpha1.HostProfile{}
	if err := server.Get(t.Context(), client.ObjectKeyFromObject(profile), have); err != nil || have.UID != profile.UID {
		t.Errorf("have %v, %v", have.UID, err)
	}
	checkStranger(t, p)
}

// checkStranger checks that a user of a restarted server is known, and has no rights
// that RBAC does not give.
func checkStranger(t *testing.T, p *control.Plane) {
	t.Helper()
	file, err := p.KubeconfigOf("stranger")
	if err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", file)
	if err != nil {
		t.Fatal(err)
	}
	stranger := &control.Plane{Config: config}
	if err := connect(t, stranger).List(t.Context(), &v1alpha1.HostProfileList{}); !apierrors.IsForbidden(err) {
		t.Errorf("have %v", err)
	}
}

func connect(t *testing.T, p *control.Plane) client.Client {
	t.Helper()
	c, err := client.New(p.Config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := v1alpha1.AddToScheme(c.Scheme()); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFileOfTheRepositoryIsFoundFromAnywhereInIt(t *testing.T) {
	path, err := control.File("config/crd")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		t.Errorf("have %s: %v", path, err)
	}
	if _, err := control.File("config/nothing"); err == nil {
		t.Error("a file that is not there is found")
	}
}
