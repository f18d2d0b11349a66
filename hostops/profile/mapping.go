package profile

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// isMapping reports a node that has no fields.
func (d *document) isMapping(node *yaml.Node, path string) bool {
	if node.Kind == yaml.MappingNode {
		return true
	}
	e := InputError{Reason: ReasonWrongType, Message: "must be a mapping (name: value) and is " + nodeWord(node)}
	switch {
	case path == "spec.nodeSelector" && isNothing(node):
		e.Reason, e.Message = ReasonMissingField, "is empty"
		e.Hint = "write nodeSelector: {} for every node"
	case strings.HasPrefix(path, "spec.sysctls["):
		e.Hint = "write - {name: net.ipv4.ip_forward, value: 1}"
	case strings.HasPrefix(path, "spec.kernelModules["):
		e.Hint = "write - {name: br_netfilter}"
	}
	d.reject(node, path, e)
	return false
}

// eachField calls fn for every field of a mapping whose name can be used. It reports
// fields that are there twice and names that are not text.
func (d *document) eachField(mapping *yaml.Node, path string, fn func(name string, key, value *yaml.Node)) {
	seen := map[string]int{}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key, value := mapping.Content[i], mapping.Content[i+1]
		line, again := seen[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			d.reportNode(key, InputError{Reason: ReasonNotYAML, Field: path, Message: "the name of a field must be text"})
		case key.Value == "<<" && plain(key):
			d.unusable[path] = true
			d.reportNode(key, InputError{Reason: ReasonNotYAML, Field: path, BadValue: "<<", Message: "<< merges another part of the file, which is not allowed here", Hint: "write it out"})
		case again:
			d.reportNode(key, InputError{Reason: ReasonDuplicateName, Field: child(path, key.Value), BadValue: key.Value,
				Message: fmt.Sprintf("%s is in line %d already", cut(key.Value), line), Hint: "keep one of them"})
		default:
			seen[key.Value] = key.Line + d.first
			fn(key.Value, key, value)
		}
	}
}

// reportUnknown reports a field that does not exist, and guesses what was meant.
func (d *document) reportUnknown(key, value *yaml.Node, path string, known []string, flow bool) {
	e := InputError{Reason: ReasonUnknownField, Field: child(path, key.Value), BadValue: key.Value, Message: "there is no such field"}
	name, rest, colon := strings.Cut(key.Value, ":")
	near, found := Nearest(key.Value, known)
	switch {
	case colon && slices.Contains(known, name):
		e.Field, e.Message = path, fmt.Sprintf("%s is one word to YAML", cut(key.Value))
		e.Hint = fmt.Sprintf("write a blank after the colon: %s: %s", name, cut(rest))
		d.meant[child(path, name)] = true
	case flow && isNothing(value) && value.Value == "" && !found:
		e.Field, e.Message = path, fmt.Sprintf("the comma before %s begins another field", cut(key.Value))
		e.Hint = "quote text that holds a comma"
	case found:
		e.Hint = "did you mean " + near + "?"
		d.meant[child(path, near)] = true
	case slices.Contains(fieldsOfSpec(), key.Value) && path != "spec":
		e.Hint = "it belongs below spec"
		d.meant["spec."+key.Value] = true
	default:
		e.Hint = "known are " + v1alpha1.OneOf(known)
	}
	d.reportNode(key, e)
}
