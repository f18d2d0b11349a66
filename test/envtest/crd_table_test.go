package envtest_test

import (
	"errors"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/api/v1alpha1/apitest"
)

// The schema, and nothing else, stands between a user and what is stored.
func TestTheAPIServerAgreesWithTheTableOfCases(t *testing.T) {
	server := restClient(t)
	for _, c := range apitest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			_, err := submit(t, server, c.YAML)
			switch {
			case err == nil && c.By(apitest.Schema):
				t.Fatalf("not refused\n%s", c.YAML)
			case err != nil && !c.By(apitest.Schema):
				t.Fatalf("refused: %v\n%s", err, c.YAML)
			case err != nil:
				wantField(t, err, c.Field)
			}
		})
	}
}

// The agent looks at what the API server has stored, which went through other readers
// than the file, and may have been stored before there was a rule.
func TestValidateAgreesAboutWhatTheAPIServerStores(t *testing.T) {
	server := restClient(t)
	for _, c := range apitest.Cases() {
		if c.By(apitest.Schema) {
			continue // never gets that far
		}
		t.Run(c.Name, func(t *testing.T) {
			stored, err := submit(t, server, c.YAML)
			if err != nil {
				t.Fatal(err)
			}
			errs := v1alpha1.Validate(decodeStrictly(t, stored))
			want := c.By(apitest.Validate) && c.Field != "metadata.namespace" // which is not stored
			if refused := len(errs) > 0; refused != want {
				t.Errorf("refused is %t: %v\n%s", refused, errs, stored)
			}
		})
	}
}

// submit creates a profile on trial and returns what would be stored. It sends the YAML
// as it is, so that no client has a chance to refuse or change it.
func submit(t *testing.T, server *rest.RESTClient, text string) ([]byte, error) {
	t.Helper()
	result := server.Post().Resource("hostprofiles").
		VersionedParams(&metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict}, metav1.ParameterCodec).
		SetHeader("Content-Type", "application/yaml").SetHeader("Accept", "application/json").
		Body([]byte(text)).Do(t.Context())
	if err := result.Error(); err != nil { // knows what the API server said; Raw does not
		return nil, err
	}
	return result.Raw()
}

// wantField checks that a refusal by the schema names a field, what holds it or what is in
// it. A refusal by a reader, before the schema, may know nothing but the text.
func wantField(t *testing.T, err error, field string) {
	t.Helper()
	if apierrors.IsBadRequest(err) {
		return
	}
	field = strings.NewReplacer("[gpu]", ".gpu", "[zone]", ".zone").Replace(field) // keys of maps
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) {
		t.Fatalf("not a refusal: %v", err)
	}
	for _, cause := range status.Status().Details.Causes {
		if strings.HasPrefix(cause.Field, field) || strings.HasPrefix(field, cause.Field) || strings.Contains(cause.Message, "in "+field) {
			return
		}
	}
	t.Errorf("want a refusal of %s, have %v", field, err)
}

func restClient(t *testing.T) *rest.RESTClient {
	t.Helper()
	config := rest.CopyConfig(plane(t).Config)
	config.APIPath, config.GroupVersion = "/apis", &v1alpha1.GroupVersion
	config.NegotiatedSerializer = clientgoscheme.Codecs.WithoutConversion() // for the answers that refuse
	server, err := rest.RESTClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

func decodeStrictly(t *testing.T, text []byte) *v1alpha1.HostProfile {
	t.Helper()
	strict := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme(t), scheme(t), json.SerializerOptions{Strict: true})
	profile := &v1alpha1.HostProfile{}
	if _, _, err := strict.Decode(text, nil, profile); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return profile
}
