package assets_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/hostprofile/hostprofile/test/assets"
)

// wantVersion is the minor version of Kubernetes whose libraries the product
// uses.
const wantVersion = "v1.37."

func TestEnvtestServesFromTheBuiltPrograms(t *testing.T) {
	skipBuildIfShort(t)
	config := startEnvtest(t, controlPlane(t))

	if got := serverVersion(t, config); !strings.HasPrefix(got, wantVersion) {
		t.Errorf("the API server is %s, want %sx", got, wantVersion)
	}
	checkConfigMapRoundTrip(t, config)
}

// The control: without the programs there is no control plane, so the test above
// cannot pass by means of something else on this machine.
func TestEnvtestFailsInAFolderWithoutThePrograms(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", t.TempDir())
	environment := &envtest.Environment{UseExistingCluster: new(false)}
	if _, err := environment.Start(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want %v", err, fs.ErrNotExist)
		_ = environment.Stop()
	}
}

// controlPlane builds what is missing in the time that the test run has, less
// what it takes to say so.
func controlPlane(t *testing.T) string {
	t.Helper()
	ctx := t.Context()
	if deadline, ok := t.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, deadline.Add(-30*time.Second))
		defer cancel()
	}
	dir, err := assets.ControlPlane(ctx, t.Output())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func startEnvtest(t *testing.T, dir string) *rest.Config {
	t.Helper()
	t.Setenv("KUBEBUILDER_ASSETS", dir)
	environment := &envtest.Environment{UseExistingCluster: new(false)}
	begin := time.Now()
	config, err := environment.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("envtest started in %s", time.Since(begin).Round(time.Millisecond))
	t.Cleanup(func() {
		begin := time.Now()
		if err := environment.Stop(); err != nil {
			t.Errorf("stop envtest: %v", err)
		}
		t.Logf("envtest stopped in %s", time.Since(begin).Round(time.Millisecond))
	})
	return config
}

func serverVersion(t *testing.T, config *rest.Config) string {
	t.Helper()
	server, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	version, err := server.ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	return version.GitVersion
}

func checkConfigMapRoundTrip(t *testing.T, config *rest.Config) {
	t.Helper()
	cluster, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "assets"}}
	want := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace.Name, Name: "greeting"},
		Data:       map[string]string{"hello": "host"},
	}
	for _, object := range []client.Object{namespace, want} {
		if err := cluster.Create(t.Context(), object); err != nil {
			t.Fatal(err)
		}
	}
	var got corev1.ConfigMap
	if err := cluster.Get(t.Context(), client.ObjectKeyFromObject(want), &got); err != nil {
		t.Fatal(err)
	}
	if got.Data["hello"] != "host" || got.UID == "" {
		t.Errorf("got %v with UID %q back", got.Data, got.UID)
	}
}
