package profile

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// isHostProfile tells whether the document is worth reading further, and reports what is
// wrong with its kind and version.
func (d *document) isHostProfile() bool {
	if d.root.Kind != yaml.MappingNode {
		d.reportNode(d.root, InputError{Reason: ReasonWrongKind, Message: "this is no HostProfile but " + nodeWord(d.root), Hint: d.notAProfileHint()})
		return false
	}
	apiVersion, kind := mappingValue(d.root, "apiVersion"), mappingValue(d.root, "kind")
	if kind != nil && kind.Value != v1alpha1.Kind {
		d.reportNode(kind, InputError{Reason: ReasonWrongKind, Field: "kind", BadValue: kind.Value, Message: kindMessage(kind), Hint: kindHint(kind.Value)})
		return false
	}
	want := v1alpha1.GroupVersion.String()
	d.requireTop(apiVersion, "apiVersion", want)
	d.requireTop(kind, "kind", v1alpha1.Kind)
	if apiVersion != nil && apiVersion.Value != want {
		d.reportNode(apiVersion, InputError{Reason: ReasonWrongKind, Field: "apiVersion", BadValue: apiVersion.Value,
			Message: "this version of the program reads " + want + " only", Hint: "write " + want})
	}
	return kind != nil || apiVersion != nil || mappingValue(d.root, "spec") != nil
}

// requireTop reports a missing field at the top of the document.
func (d *document) requireTop(node *yaml.Node, field, want string) {
	if node == nil {
		d.reportNode(d.root, InputError{Reason: ReasonMissingField, Field: field, Message: "is missing", Hint: fmt.Sprintf("write %s: %s", field, want)})
	}
}

func kindMessage(kind *yaml.Node) string {
	if kind.Kind != yaml.ScalarNode || kind.Value == "" {
		return "kind must be " + v1alpha1.Kind
	}
	return kind.Value + " is not a HostProfile"
}

func kindHint(kind string) string {
	switch {
	case strings.HasSuffix(kind, "List"):
		return "write its items as documents, separated by lines of ---"
	case kind == "":
		return "write kind: " + v1alpha1.Kind
	}
	if _, near := Nearest(kind, []string{v1alpha1.Kind}); near {
		return "write " + v1alpha1.Kind
	}
	return "remove this document; a file holds HostProfiles only"
}

// notAProfileHint guesses what somebody wanted whose document has no fields at all.
func (d *document) notAProfileHint() string {
	if d.root.Kind == yaml.ScalarNode && strings.Contains(d.root.Value, "=") {
		return "it looks like a sysctl.d file; write each line under spec.sysctls as - {name: NAME, value: VALUE}"
	}
	return "begin with apiVersion: " + v1alpha1.GroupVersion.String()
}

// mappingValue returns what a field of a mapping holds, or nil.
func mappingValue(mapping *yaml.Node, name string) *yaml.Node {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

// nodeWord says what somebody wrote, in words that need no YAML.
func nodeWord(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "a mapping (name: value)"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case isNothing(node):
		return "nothing"
	}
	return "text"
}

// isNothing tells whether a node is YAML's null: absent, or written as ~ or null.
func isNothing(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.Style == 0 && trapOf(node.Value).what == nothing
}
