package v1alpha1_test

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// No schema fills in what is absent, so the types have to.
func TestProfileThatSaysNothingIsEnforcedAndRepaired(t *testing.T) {
	p := &v1alpha1.HostProfile{}
	if p.Spec.IsPlan() || !p.Spec.RepairsDrift() || p.IsPaused() {
		t.Errorf("plan %t, repairs %t, paused %t", p.Spec.IsPlan(), p.Spec.RepairsDrift(), p.IsPaused())
	}
}

func TestModeAndDriftPolicyOfAProfile(t *testing.T) {
	for mode, want := range map[v1alpha1.Mode]bool{v1alpha1.ModeEnforce: false, v1alpha1.ModePlan: true} {
		if have := (&v1alpha1.HostProfileSpec{Mode: mode}).IsPlan(); have != want {
			t.Errorf("%s is a plan: %t", mode, have)
		}
	}
	for policy, want := range map[v1alpha1.DriftPolicy]bool{v1alpha1.DriftRepair: true, v1alpha1.DriftReport: false} {
		if have := (&v1alpha1.HostProfileSpec{DriftPolicy: policy}).RepairsDrift(); have != want {
			t.Errorf("%s repairs: %t", policy, have)
		}
	}
}

func TestProfileIsPausedByItsSpecOrByItsAnnotation(t *testing.T) {
	annotated := func(value string) v1alpha1.HostProfile {
		return v1alpha1.HostProfile{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{v1alpha1.AnnotationPaused: value}}}
	}
	for name, c := range map[string]struct {
		profile v1alpha1.HostProfile
		want    bool
	}{
		"by its spec":            {v1alpha1.HostProfile{Spec: v1alpha1.HostProfileSpec{Paused: true}}, true},
		"by its annotation":      {annotated("true"), true},
		"not, says the spec":     {v1alpha1.HostProfile{}, false},
		"not, by its annotation": {annotated("false"), false},
	} {
		if have := c.profile.IsPaused(); have != c.want {
			t.Errorf("%s: have %t", name, have)
		}
	}
}
