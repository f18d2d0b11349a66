package profile

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// The labels that every node has and that a host can tell of itself.
const (
	labelHostname = "kubernetes.io/hostname"
	labelOS       = "kubernetes.io/os"
	labelArch     = "kubernetes.io/arch"
)

// Node is what the nodeSelector of a profile from a file is matched against: on a host
// that no API server knows yet, somebody has to say which labels the node will have.
type Node struct {
	// Hostname, OS and Arch are the host's own, in the spelling of the labels
	// kubernetes.io/hostname, os (linux) and arch (amd64, arm64).
	Hostname, OS, Arch string
	// Labels are what --node-labels says. nil means that nobody said anything, and is not
	// the same as no labels. A label given here wins over the host's own.
	Labels map[string]string
}

// Select returns the profiles that are meant for this node, in the given order.
//
// When nobody said which labels the node has, only {} can be answered: every other
// selector is InputErrors that say what to do, and no profile is selected. The profiles
// must be valid.
func Select(profiles []v1alpha1.HostProfile, node Node) ([]v1alpha1.HostProfile, error) {
	var selected []v1alpha1.HostProfile
	var errs InputErrors
	for _, p := range profiles {
		matches, err := matches(&p, node)
		switch {
		case err != nil:
			errs = append(errs, *err)
		case matches:
			selected = append(selected, p)
		}
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return selected, nil
}

// Select returns the profiles of the input that are meant for this node, as the function
// of the same name does; mistakes have file and line. A profile that is meant for this
// node, and is a plan or paused, is a mistake too: both are for clusters.
func (in *Input) Select(node Node) ([]v1alpha1.HostProfile, error) {
	selected, err := Select(in.profiles, node)
	var errs InputErrors
	if err != nil && !errors.As(err, &errs) {
		return nil, err
	}
	for i := range selected {
		errs = append(errs, unfit(&selected[i])...)
	}
	if len(errs) > 0 {
		return nil, in.Locate(errs)
	}
	return selected, nil
}

func matches(p *v1alpha1.HostProfile, node Node) (bool, *InputError) {
	want := p.Spec.NodeSelector
	if want == nil {
		return false, selectorError(p, ReasonMissingField, "a profile says which nodes it is for", "write nodeSelector: {} for every node")
	}
	if len(want.MatchLabels)+len(want.MatchExpressions) == 0 {
		return true, nil
	}
	if node.Labels == nil {
		return false, selectorError(p, ReasonNeedsLabels, "selects nodes by their labels, and this host does not know those of its node",
			"say them with --node-labels "+example(want)+", or write nodeSelector: {}")
	}
	selector, err := metav1.LabelSelectorAsSelector(want)
	if err != nil {
		return false, selectorError(p, v1alpha1.ReasonInvalidValue, err.Error(), "")
	}
	return selector.Matches(node.labels()), nil
}

func selectorError(p *v1alpha1.HostProfile, reason v1alpha1.Reason, message, hint string) *InputError {
	return &InputError{Reason: reason, Object: v1alpha1.Kind + "/" + p.Name, Field: "spec.nodeSelector", Message: message, Hint: hint}
}

// example is what --node-labels could say for a selector, or KEY=VALUE.
func example(selector *metav1.LabelSelector) string {
	if len(selector.MatchLabels) == 0 {
		return "KEY=VALUE"
	}
	return labels.FormatLabels(selector.MatchLabels)
}

func (n Node) labels() labels.Set {
	own := labels.Set{labelHostname: n.Hostname, labelOS: n.OS, labelArch: n.Arch}
	return labels.Merge(own, n.Labels)
}
