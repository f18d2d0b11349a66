package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// FieldManager is the name under which the agent owns what it writes.
const FieldManager = "hostprofile-agent"

// patience is how long one request may take. A watch has none.
const patience = 20 * time.Second

// The resources that the agent has to do with.
var (
	profileResource = v1alpha1.GroupVersion.WithResource("hostprofiles")
	statusResource  = v1alpha1.GroupVersion.WithResource("hostprofilestatuses")
	nodeResource    = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
)

const (
	profilesPath = "/apis/hostprofile.io/v1alpha1/hostprofiles"
	statusPath   = "/apis/hostprofile.io/v1alpha1/hostprofilestatuses/"
	nodesPath    = "/api/v1/nodes/"
	crdPath      = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + v1alpha1.CRDName
)

// api makes requests for one node.
type api struct {
	node    string
	dynamic dynamic.Interface // for watches
	rest    rest.Interface    // for all else, as text
}

func newAPI(config *rest.Config, node, version string) (*api, error) {
	c := rest.CopyConfig(config)
	c.UserAgent = FieldManager + "/" + version
	if c.QPS == 0 {
		c.QPS, c.Burst = 20, 40
	}
	c.WarningHandler = rest.NoWarnings{}
	http, err := rest.HTTPClientFor(c)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	d, err := dynamic.NewForConfigAndClient(c, http)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	c.GroupVersion = &schema.GroupVersion{}
	c.NegotiatedSerializer = serializer.NewCodecFactory(runtime.NewScheme()).WithoutConversion()
	r, err := rest.UnversionedRESTClientForConfigAndClient(c, http)
	if err != nil {
		return nil, fmt.Errorf("make a client: %w", err)
	}
	return &api{node: node, dynamic: d, rest: r}, nil
}

// get returns an object as text. With an error it is what the server said about it.
func (a *api) get(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return inWords(a.rest.Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(ctx))
}

// apply is one server-side apply of what the agent owns. It returns the new object.
func (a *api) apply(ctx context.Context, path string, object []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return inWords(a.rest.Patch(types.ApplyYAMLPatchType).AbsPath(path).
		Param("fieldManager", FieldManager).Param("force", "true").
		SetHeader("Accept", "application/json").Body(object).DoRaw(ctx))
}

// refusal is what the server refused, in its own words.
type refusal struct {
	error
	words string
}

func (r refusal) Error() string { return r.words }

func (r refusal) Unwrap() error { return r.error }

// inWords adds to an error what the server said: client-go reads no answer that it hands
// over as text, and calls the reason unknown.
func inWords(answer []byte, err error) ([]byte, error) {
	var s metav1.Status
	if err == nil || json.Unmarshal(answer, &s) != nil || s.Message == "" {
		return answer, err
	}
	return answer, refusal{err, s.Message}
}

// crdUID returns the uid of the CRD, empty if it cannot be had.
func (a *api) crdUID(ctx context.Context) string {
	crd, err := a.crd(ctx)
	if err != nil {
		return ""
	}
	return crd.trusted()
}
