package envtest_test

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const absent = v1alpha1.Mode("")

// A profile that became a plan would give everything back on every node.
func TestEnforcedProfileNeverBecomesAPlan(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to v1alpha1.Mode
		refused  bool
	}{
		{"enforced without a word", absent, v1alpha1.ModePlan, true},
		{"enforced", v1alpha1.ModeEnforce, v1alpha1.ModePlan, true},
		{"a plan that stays one", v1alpha1.ModePlan, v1alpha1.ModePlan, false},
		{"a plan that is enforced", v1alpha1.ModePlan, v1alpha1.ModeEnforce, false},
		{"a plan that is enforced without a word", v1alpha1.ModePlan, absent, false},
		{"enforced with and without a word", v1alpha1.ModeEnforce, absent, false},
		{"enforced without and with a word", absent, v1alpha1.ModeEnforce, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := admin(t)
			profile := profileWith("mode", c.from)
			create(t, server, profile)
			profile.Spec.Mode, profile.Spec.Priority = c.to, 7
			if err := server.Update(t.Context(), profile); (err != nil) != c.refused {
				t.Errorf("the answer is %v", err)
			}
		})
	}
}

func TestRefusedPlanSaysWhatToDoInstead(t *testing.T) {
	server := admin(t)
	profile := profileWith("mode-message", absent)
	create(t, server, profile)
	for name, patch := range map[string]client.Patch{
		"merge": client.RawPatch(types.MergePatchType, []byte(`{"spec":{"mode":"Plan"}}`)),
		"json":  client.RawPatch(types.JSONPatchType, []byte(`[{"op":"add","path":"/spec/mode","value":"Plan"}]`)),
		"apply": client.RawPatch(types.ApplyPatchType, []byte(`{"apiVersion":"hostprofile.io/v1alpha1","kind":"HostProfile","metadata":{"name":"mode-message"},"spec":{"nodeSelector":{},"mode":"Plan"}}`)),
	} {
		err := server.Patch(t.Context(), profile.DeepCopy(), patch, client.FieldOwner("test"))
		if !apierrors.IsInvalid(err) {
			t.Fatalf("%s: have %v", name, err)
		}
		for _, want := range []string{"spec.mode: Forbidden", "paused: true", "a second profile with mode: Plan", "delete the profile"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: want %q in %v", name, want, err)
			}
		}
	}
}

// What a profile that is held already says about itself changes nothing for its nodes.
func TestPausedProfileNeverBecomesAPlanEither(t *testing.T) {
	server := admin(t)
	profile := profileWith("mode-paused", absent)
	profile.Spec.Paused = true
	create(t, server, profile)
	profile.Spec.Mode = v1alpha1.ModePlan
	if err := server.Update(t.Context(), profile); !apierrors.IsInvalid(err) {
		t.Errorf("have %v", err)
	}
}

func TestPlanMayBeLabelledAndEdited(t *testing.T) {
	server := admin(t)
	profile := profileWith("mode-edited", v1alpha1.ModePlan)
	create(t, server, profile)
	profile.Labels = map[string]string{"a": "b"}
	profile.Spec.Swap = v1alpha1.SwapDisabled
	if err := server.Update(t.Context(), profile); err != nil {
		t.Error(err)
	}
}

func profileWith(name string, mode v1alpha1.Mode) *v1alpha1.HostProfile {
	return &v1alpha1.HostProfile{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1alpha1.HostProfileSpec{NodeSelector: &metav1.LabelSelector{}, Mode: mode},
	}
}
