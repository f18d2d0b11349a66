package profile_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

func selecting(name, spec string) string {
	return strings.Replace(named(name), "nodeSelector: {}", "nodeSelector: "+spec, 1)
}

func read(t *testing.T, documents ...string) *profile.Input {
	t.Helper()
	input, err := profile.Read(profile.Source{Name: "site.yaml", Reader: strings.NewReader(strings.Join(documents, "---\n"))})
	if err != nil {
		t.Fatal(err)
	}
	return input
}

func namesOf(profiles []v1alpha1.HostProfile) string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.Name
	}
	return strings.Join(names, " ")
}

func TestProfilesAreSelectedByTheLabelsOfTheNode(t *testing.T) {
	input := read(t,
		selecting("every", "{}"),
		selecting("workers", `{matchLabels: {node-role.kubernetes.io/worker: ""}}`),
		selecting("gpus", "{matchLabels: {pool: gpu}}"),
		selecting("not-gpus", "{matchExpressions: [{key: pool, operator: NotIn, values: [gpu]}]}"),
		selecting("this-host", "{matchLabels: {kubernetes.io/hostname: node-17}}"),
		selecting("arm", "{matchLabels: {kubernetes.io/arch: arm64}}"),
		selecting("linux", "{matchExpressions: [{key: kubernetes.io/os, operator: In, values: [linux]}]}"),
	)
	node := profile.Node{Hostname: "node-17", OS: "linux", Arch: "amd64"}
	for _, c := range []struct {
		name   string
		labels map[string]string
		want   string
	}{
		{"a worker", map[string]string{"node-role.kubernetes.io/worker": ""}, "every workers not-gpus this-host linux"},
		{"a node with a GPU", map[string]string{"pool": "gpu"}, "every gpus this-host linux"},
		{"a node that is said to have no labels", map[string]string{}, "every not-gpus this-host linux"},
		{"a node with another name than its host", map[string]string{"kubernetes.io/hostname": "other"}, "every not-gpus linux"},
	} {
		t.Run(c.name, func(t *testing.T) {
			node.Labels = c.labels
			selected, err := input.Select(node)
			if err != nil || namesOf(selected) != c.want {
				t.Errorf("have %s, %v", namesOf(selected), err)
			}
		})
	}
}

func TestSelectorWithoutNodeLabelsIsAMistakeThatSaysWhatToDo(t *testing.T) {
	input := read(t, selecting("every", "{}"), selecting("gpus", "{matchLabels: {pool: gpu, zone: a}}"),
		selecting("here", "{matchExpressions: [{key: kubernetes.io/hostname, operator: Exists}]}"))
	selected, err := input.Select(profile.Node{Hostname: "node-17", OS: "linux", Arch: "amd64"})
	errs := inputErrors(t, err)
	if len(selected) > 0 || len(errs) != 2 {
		t.Fatalf("have %d profiles and %v", len(selected), errs)
	}
	want := profile.InputError{Reason: profile.ReasonNeedsLabels, File: "site.yaml", Line: 9, Column: 22, Document: 2, Object: "HostProfile/gpus", Field: "spec.nodeSelector",
		Message: "selects nodes by their labels, and this host does not know those of its node", Hint: "say them with --node-labels pool=gpu,zone=a, or write nodeSelector: {}"}
	if asJSON(t, errs[0]) != asJSON(t, want) {
		t.Errorf("have %s\nwant %s", asJSON(t, errs[0]), asJSON(t, want))
	}
	if !strings.Contains(errs[1].Hint, "KEY=VALUE") || errs[1].Line != 14 {
		t.Errorf("have %+v", errs[1])
	}
}

func TestEverySelectorIsAnsweredWhenAllSelectEveryNode(t *testing.T) {
	selected, err := read(t, named("a"), named("b")).Select(profile.Node{})
	if err != nil || namesOf(selected) != "a b" {
		t.Errorf("have %s, %v", namesOf(selected), err)
	}
}

// A profile that was not read from a file has no place, and the mistake names the object.
func TestMistakeOfAProfileWithoutAFileNamesTheObject(t *testing.T) {
	stored := []v1alpha1.HostProfile{{ObjectMeta: metav1.ObjectMeta{Name: "stored"}}}
	_, err := profile.Select(stored, profile.Node{})
	if want := "HostProfile/stored: spec.nodeSelector: a profile says which nodes it is for; write nodeSelector: {} for every node"; err == nil || err.Error() != want {
		t.Errorf("have %v", err)
	}
	var text strings.Builder
	if err := inputErrors(t, err).WriteText(&text); err != nil || !strings.HasSuffix(text.String(), "\n1 error. Nothing was changed.\n") {
		t.Errorf("have %q, %v", text.String(), err)
	}
}
