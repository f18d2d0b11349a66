package v1alpha1_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

func TestValidateReportsEveryMistakeAtOnce(t *testing.T) {
	one := v1alpha1.IntValue(1)
	profile := &v1alpha1.HostProfile{Spec: v1alpha1.HostProfileSpec{
		Sysctls: []v1alpha1.Sysctl{
			{Name: "net/ipv4/ip_forward", Compare: "Above"},
			{Name: "kernel.modprobe", Value: &one},
			{Name: "vm.swappiness", Value: &one, Compare: v1alpha1.AtLeast, Unmanaged: true, IfMissing: v1alpha1.Skip},
		},
		KernelModules: []v1alpha1.KernelModule{{Name: "a b"}, {Name: "overlay", IfMissing: "Maybe"}},
		Swap:          "off",
	}}
	want := []string{
		"metadata.name", "spec.nodeSelector",
		"spec.sysctls[0].name", "spec.sysctls[0].compare", "spec.sysctls[0].value",
		"spec.sysctls[1].name",
		"spec.sysctls[2].value", "spec.sysctls[2].compare", "spec.sysctls[2].ifMissing",
		"spec.kernelModules[0].name", "spec.kernelModules[1].ifMissing", "spec.swap",
	}
	var have []string
	for _, err := range v1alpha1.Validate(profile) {
		have = append(have, err.Field)
	}
	if strings.Join(have, " ") != strings.Join(want, " ") {
		t.Errorf("have %v\nwant %v", have, want)
	}
}

func TestValidateAcceptsAnObjectAsTheAPIServerReturnsIt(t *testing.T) {
	profile := &v1alpha1.HostProfile{
		TypeMeta: metav1.TypeMeta{}, // clients leave it empty
		ObjectMeta: metav1.ObjectMeta{Name: "site", UID: "0b2c", ResourceVersion: "12", Generation: 3,
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl", Operation: metav1.ManagedFieldsOperationApply, APIVersion: "hostprofile.io/v1alpha1"}}},
		Spec: v1alpha1.HostProfileSpec{NodeSelector: &metav1.LabelSelector{}},
	}
	if errs := v1alpha1.Validate(profile); len(errs) > 0 {
		t.Error(errs)
	}
}

func TestValidateNeverChangesTheProfile(t *testing.T) {
	value := v1alpha1.TextValue("4096   87380 6291456")
	profile := &v1alpha1.HostProfile{Spec: v1alpha1.HostProfileSpec{Sysctls: []v1alpha1.Sysctl{{Name: "net.ipv4.tcp_rmem", Value: &value}}}}
	before := profile.DeepCopy()
	v1alpha1.Validate(profile)
	if value.Text != before.Spec.Sysctls[0].Value.Text {
		t.Errorf("have %q", value.Text)
	}
}

func TestMessageAndHintAreTakenApartAtTheFirstSemicolon(t *testing.T) {
	message, hint := v1alpha1.MessageAndHint("lowers the isolation of the host; write 1 or more")
	if message != "lowers the isolation of the host" || hint != "write 1 or more" {
		t.Errorf("have %q and %q", message, hint)
	}
	if message, hint = v1alpha1.MessageAndHint("must be one line"); message != "must be one line" || hint != "" {
		t.Errorf("have %q and %q", message, hint)
	}
}

func TestOneOf(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if have := v1alpha1.OneOf(words); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}

func TestTheSchemeKnowsTheKinds(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{v1alpha1.Kind, v1alpha1.Kind + "List", v1alpha1.StatusKind, v1alpha1.StatusKind + "List"} {
		if !scheme.Recognizes(v1alpha1.GroupVersion.WithKind(kind)) {
			t.Errorf("%s is not known", kind)
		}
	}
	if have := v1alpha1.Resource("hostprofiles").String(); have != v1alpha1.CRDName {
		t.Errorf("have %s", have)
	}
}
