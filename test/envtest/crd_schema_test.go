package envtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/test/envtest/control"
)

// kubectl apply keeps a copy of what it applies in an annotation, which is limited to
// 256 KiB: above, only server-side apply would install the product.
func TestCRDsFitIntoTheAnnotationOfKubectl(t *testing.T) {
	for file, text := range crdFiles(t) {
		asJSON, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d bytes, %d as JSON", file, len(text), len(asJSON))
		if len(text) >= 256<<10 || len(asJSON) >= 256<<10 {
			t.Errorf("%s is too large", file)
		}
	}
}

// Whoever creates an object owns its defaults: other tools would meet conflicts and
// differences about fields that nobody wrote.
func TestNoFieldHasADefault(t *testing.T) {
	eachField(t, func(t *testing.T, path string, field *apiextensionsv1.JSONSchemaProps) {
		if field.Default != nil {
			t.Errorf("%s has the default %s", path, field.Default.Raw)
		}
	})
}

func TestEveryFieldExplainsItself(t *testing.T) {
	eachField(t, func(t *testing.T, path string, field *apiextensionsv1.JSONSchemaProps) {
		isItem := strings.HasSuffix(path, "[]") || strings.HasSuffix(path, "{}")
		if field.Description == "" && !isItem && !strings.HasSuffix(path, ".metadata") {
			t.Errorf("%s says nothing to kubectl explain", path)
		}
	})
}

// An object of bounded size is what etcd, the agent's memory and the cost of the CEL rules
// rely on. What other projects define is as they define it.
func TestEveryListIsMergedByItemsAndBounded(t *testing.T) {
	eachField(t, func(t *testing.T, path string, field *apiextensionsv1.JSONSchemaProps) {
		if field.Type != "array" || isForeign(path) {
			return
		}
		if field.MaxItems == nil {
			t.Errorf("%s has no end", path)
		}
		if kind := field.XListType; kind == nil || *kind == "atomic" {
			t.Errorf("%s is merged as a whole", path)
		}
	})
}

func TestEveryTextIsBounded(t *testing.T) {
	eachField(t, func(t *testing.T, path string, field *apiextensionsv1.JSONSchemaProps) {
		isText := field.Type == "string" || field.XIntOrString
		if isText && field.MaxLength == nil && field.Enum == nil && field.Format == "" && !isForeign(path) {
			t.Errorf("%s has no end", path)
		}
	})
}

func isForeign(path string) bool {
	for _, foreign := range []string{".spec.nodeSelector", ".status.conditions[]", ".apiVersion", ".kind"} {
		if strings.Contains(path, foreign) {
			return true
		}
	}
	return false
}

// eachField visits every field of both kinds; path is like HostProfile.spec.sysctls[].name.
func eachField(t *testing.T, visit func(*testing.T, string, *apiextensionsv1.JSONSchemaProps)) {
	t.Helper()
	visited := 0
	for _, text := range crdFiles(t) {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(text, &crd); err != nil {
			t.Fatal(err)
		}
		for i := range crd.Spec.Versions {
			walk(crd.Spec.Names.Kind, crd.Spec.Versions[i].Schema.OpenAPIV3Schema, func(path string, field *apiextensionsv1.JSONSchemaProps) {
				visited++
				visit(t, path, field)
			})
		}
	}
	if visited < 60 {
		t.Fatalf("only %d fields were found", visited)
	}
}

func walk(path string, field *apiextensionsv1.JSONSchemaProps, visit func(string, *apiextensionsv1.JSONSchemaProps)) {
	visit(path, field)
	for name, below := range field.Properties {
		walk(path+"."+name, &below, visit)
	}
	if field.Items != nil && field.Items.Schema != nil {
		walk(path+"[]", field.Items.Schema, visit)
	}
	if field.AdditionalProperties != nil && field.AdditionalProperties.Schema != nil {
		walk(path+"{}", field.AdditionalProperties.Schema, visit)
	}
}

// crdFiles returns the text of the generated files by name.
func crdFiles(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range []string{"hostprofiles", "hostprofilestatuses"} {
		file := "hostprofile.io_" + name + ".yaml"
		files[file] = readFile(t, filepath.Join("config/crd", file))
	}
	return files
}

// readFile reads a file of the repository.
func readFile(t *testing.T, name string) []byte {
	t.Helper()
	path, err := control.File(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
