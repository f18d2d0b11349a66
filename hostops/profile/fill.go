package profile

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// top mirrors the fields of a HostProfile. Of the metadata it has what people write; what
// only an API server writes is in serverMetadata.
type top struct {
	APIVersion string                   `json:"apiVersion"`
	Kind       string                   `json:"kind"`
	Metadata   metadata                 `json:"metadata"`
	Spec       v1alpha1.HostProfileSpec `json:"spec"`
}

type metadata struct {
	Name        string            `json:"name"`
	Namespace   string            `json:"namespace"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// serverMetadata is passed over, so that the output of "kubectl get -o yaml" can be read.
func serverMetadata() []string {
	return []string{"uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp",
		"deletionGracePeriodSeconds", "managedFields", "ownerReferences", "finalizers", "selfLink"}
}

// fillProfile makes the profile from the nodes, as far as they can be used.
func (d *document) fillProfile() {
	if name := mappingValue(d.root, "metadata"); name != nil && name.Kind == yaml.MappingNode {
		// Known early, so that every message can name the object.
		if name = mappingValue(name, "name"); name != nil && name.Kind == yaml.ScalarNode {
			d.profile.Name = name.Value
		}
	}
	d.places[""] = d.placeOf(d.root)
	var t top
	d.fill(d.root, reflect.ValueOf(&t).Elem(), "")
	d.profile = v1alpha1.HostProfile{Spec: t.Spec}
	d.profile.APIVersion, d.profile.Kind = t.APIVersion, t.Kind
	d.profile.Name, d.profile.Namespace = t.Metadata.Name, t.Metadata.Namespace
	d.profile.Labels, d.profile.Annotations = t.Metadata.Labels, t.Metadata.Annotations
}

// fill makes a Go value from a node, and reports what does not fit.
func (d *document) fill(node *yaml.Node, target reflect.Value, path string) {
	if node.Kind == yaml.AliasNode {
		d.reject(node, path, InputError{Reason: ReasonNotYAML, BadValue: "*" + node.Value, Message: "*" + node.Value + " stands for another part of the file, which is not allowed here", Hint: "write it out"})
		return
	}
	if value, ok := target.Addr().Interface().(*v1alpha1.Value); ok {
		d.fillValue(node, value, path)
		return
	}
	switch target.Kind() {
	case reflect.Pointer:
		target.Set(reflect.New(target.Type().Elem()))
		d.fill(node, target.Elem(), path)
	case reflect.Struct:
		d.fillStruct(node, target, path)
	case reflect.Slice:
		d.fillSlice(node, target, path)
	case reflect.Map:
		d.fillMap(node, target, path)
	case reflect.String:
		d.fillText(node, target, path)
	case reflect.Bool:
		d.fillBoolean(node, target, path)
	default:
		d.fillInteger(node, target, path)
	}
}

// reject reports a node that cannot be used, and silences later complaints about it.
func (d *document) reject(node *yaml.Node, path string, e InputError) {
	d.unusable[path] = true
	e.Field = path
	if e.BadValue == "" && node.Kind == yaml.ScalarNode {
		e.BadValue = node.Value
	}
	d.reportNode(node, e)
}

func (d *document) fillSlice(node *yaml.Node, target reflect.Value, path string) {
	if node.Kind != yaml.SequenceNode {
		d.reject(node, path, InputError{Reason: ReasonWrongType, Message: "must be a list and is " + nodeWord(node), Hint: listHint(target.Type())})
		return
	}
	target.Set(reflect.MakeSlice(target.Type(), len(node.Content), len(node.Content)))
	for i, item := range node.Content {
		at := path + "[" + strconv.Itoa(i) + "]"
		d.places[at] = d.placeOf(item)
		d.fill(item, target.Index(i), at)
	}
}

func listHint(t reflect.Type) string {
	if t.Elem().Kind() == reflect.String {
		return "write [one, two]"
	}
	return "write each entry on a line of its own: - {name: ...}"
}

func (d *document) fillMap(node *yaml.Node, target reflect.Value, path string) {
	if !d.isMapping(node, path) {
		return
	}
	target.Set(reflect.MakeMap(target.Type()))
	d.eachField(node, path, func(name string, key, value *yaml.Node) {
		at := path + "[" + name + "]"
		d.enter(at, key, value)
		if t := trapOf(name); plain(key) && t.what != text {
			d.reject(key, at, textTrap(name, t, nil))
			return
		}
		text := reflect.New(target.Type().Elem()).Elem()
		d.fill(value, text, at)
		target.SetMapIndex(reflect.ValueOf(name), text)
	})
}

func (d *document) fillStruct(node *yaml.Node, target reflect.Value, path string) {
	if !d.isMapping(node, path) {
		return
	}
	d.eachField(node, path, func(name string, key, value *yaml.Node) {
		at := child(path, name)
		i, known := fieldIndex(target.Type(), name)
		switch {
		case known:
			d.enter(at, key, value)
			d.fill(value, target.Field(i), at)
		case target.Type() == reflect.TypeFor[metadata]() && isServerMetadata(name):
		default:
			d.reportUnknown(key, value, path, fieldNames(target.Type()), node.Style&yaml.FlowStyle != 0)
		}
	})
}

func isServerMetadata(name string) bool {
	return strings.Contains(" "+strings.Join(serverMetadata(), " ")+" ", " "+name+" ")
}

// enter remembers where a field is written.
func (d *document) enter(path string, key, value *yaml.Node) {
	at, name := d.placeOf(value), d.placeOf(key)
	at.key = &name
	d.places[path] = at
}

// fieldIndex finds a field of a struct by its JSON name.
func fieldIndex(t reflect.Type, name string) (int, bool) {
	for i, known := range fieldNames(t) {
		if known == name {
			return i, true
		}
	}
	return 0, false
}

// fieldNames returns the JSON names of the fields of a struct, in order.
func fieldNames(t reflect.Type) []string {
	if names, known := namesOfFields.Load(t); known {
		return names.([]string)
	}
	names := make([]string, t.NumField())
	for i := range names {
		names[i], _, _ = strings.Cut(t.Field(i).Tag.Get("json"), ",")
	}
	namesOfFields.Store(t, names)
	return names
}

// namesOfFields keeps what fieldNames found, by type: a long list has one type of entry.
var namesOfFields sync.Map
