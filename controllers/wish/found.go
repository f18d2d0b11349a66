package wish

import (
	"encoding/json"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	kjson "sigs.k8s.io/json"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// Found is one HostProfile as the API server has it.
type Found struct {
	Name, UID  string
	Generation int64
	// Paused: by its spec or by its annotation.
	Paused bool
	// Profile has a name, a generation and a spec, and nothing else, so that a change of
	// metadata changes nothing here. It is nil if the object cannot be understood.
	Profile *v1alpha1.HostProfile
	// Problem says why it cannot be understood.
	Problem string
	// selector is that of an object that cannot be understood, if at least it can.
	selector *metav1.LabelSelector
}

// stored is an object of which only the spec must be known in full: a newer version may
// store fields beside it that say nothing about hosts.
type stored struct {
	Metadata struct {
		Name        string            `json:"name"`
		UID         string            `json:"uid"`
		Generation  int64             `json:"generation"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec json.RawMessage `json:"spec"`
}

// Read decodes one stored object strictly: a spec with a field that this version does
// not know, or that breaks a rule, is not understood. ok is false if not even the name
// can be read.
func Read(object []byte) (f Found, ok bool) {
	var s stored
	if err := kjson.UnmarshalCaseSensitivePreserveInts(object, &s); err != nil || s.Metadata.Name == "" {
		return Found{}, false
	}
	f = Found{Name: s.Metadata.Name, UID: s.Metadata.UID, Generation: s.Metadata.Generation}
	f.Paused = s.Metadata.Annotations[v1alpha1.AnnotationPaused] == "true"
	p := &v1alpha1.HostProfile{ObjectMeta: metav1.ObjectMeta{Name: f.Name, Generation: f.Generation}}
	if f.Problem = decodeSpec(s.Spec, p); f.Problem != "" {
		f.selector = looseSelector(s.Spec)
		return f, true
	}
	f.Profile, f.Paused = p, f.Paused || p.Spec.Paused
	return f, true
}

// decodeSpec returns what is wrong with a spec, in one line.
func decodeSpec(text []byte, p *v1alpha1.HostProfile) string {
	if len(text) == 0 {
		return "it has no spec"
	}
	unknown, err := kjson.UnmarshalStrict(text, &p.Spec)
	switch {
	case err != nil:
		return err.Error()
	case len(unknown) > 0:
		return "spec: " + unknown[0].Error()
	}
	if errs := append(v1alpha1.Validate(p), v1alpha1.ValidateInCluster(p)...); len(errs) > 0 {
		message, _ := v1alpha1.MessageAndHint(errs[0].Detail)
		return fmt.Sprintf("%s: %s", errs[0].Field, strings.TrimSpace(message))
	}
	return ""
}

func looseSelector(spec []byte) *metav1.LabelSelector {
	var loose struct {
		NodeSelector *metav1.LabelSelector `json:"nodeSelector"`
	}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(spec, &loose); err != nil {
		return nil
	}
	return loose.NodeSelector
}

// selects reports whether a selector is for a node with these labels; a missing one is
// for none.
func selects(s *metav1.LabelSelector, node map[string]string) bool {
	if s == nil {
		return false
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(node))
}

// mayConcern reports whether an object that cannot be understood could be for the node.
func (f *Found) mayConcern(node map[string]string) bool {
	return f.selector == nil || selects(f.selector, node)
}
