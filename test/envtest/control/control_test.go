package control_test

import (
	"fmt"
	"io"
	"net"
	"os"
	"testing"
	"time"

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
	stopWatched(t, p)
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

// stopWatched stops the API server while somebody watches, which must not hold it up.
func stopWatched(t *testing.T, p *control.Plane) {
	t.Helper()
	watcher, err := client.NewWithWatch(p.Config, client.Options{Scheme: connect(t, p).Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	watch, err := watcher.Watch(t.Context(), &v1alpha1.HostProfileList{})
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Stop()
	began := time.Now()
	if err := p.StopServer(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %s to stop", took.Round(time.Second))
	}
}

// checkStranger checks that a user of a restarted server is known, and has no rights
// that RBAC does not give.
func checkStranger(t *testing.T, p *control.Plane) {
	t.Helper()
	file, err := p.KubeconfigOf("stranger")
	if err != nil {
		t.Fatal(err)
	}
	if err := as(t, file).List(t.Context(), &v1alpha1.HostProfileList{}); !apierrors.IsForbidden(err) {
		t.Errorf("have %v", err)
	}
}

// as is a client with a kubeconfig file.
func as(t *testing.T, kubeconfig string) client.Client {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, &control.Plane{Config: config})
}

// The agent's account, as it is shipped, through an address that the certificate does not
// name.
func TestAccountMayDoWhatItsRoleSays(t *testing.T) {
	p := control.Start(t)
	dir, err := control.File("config/daemonset")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Kubectl(t.Context(), "", "apply", "-k", dir); err != nil {
		t.Fatal(err)
	}
	port, err := p.Port()
	if err != nil {
		t.Fatal(err)
	}
	file, err := p.KubeconfigOfAccount(t.Context(), "hostprofile-system", "hostprofile-agent", fmt.Sprintf("127.0.0.2:%d", forward(t, port)))
	if err != nil {
		t.Fatal(err)
	}
	agent := as(t, file)
	if err := agent.List(t.Context(), &v1alpha1.HostProfileList{}); err != nil {
		t.Errorf("it may not read profiles: %v", err)
	}
	profile := &v1alpha1.HostProfile{ObjectMeta: metav1.ObjectMeta{Name: "site"}}
	if err := agent.Delete(t.Context(), profile); !apierrors.IsForbidden(err) {
		t.Errorf("it may delete profiles: %v", err)
	}
}

// forward passes connections to a port of another loopback address on to the API server.
func forward(t *testing.T, port int) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err != nil {
				_ = in.Close()
				continue
			}
			for _, pair := range [][2]net.Conn{{in, out}, {out, in}} {
				go func() {
					_, _ = io.Copy(pair[0], pair[1])
					_ = pair[0].Close()
				}()
			}
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port
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
