package profile_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/profile"
)

// with is a profile for every node with more in its spec.
func with(name, more string) string {
	return strings.Replace(named(name), "nodeSelector: {}", "nodeSelector: {}, "+more, 1)
}

func TestPlanInAFileIsAMistakeThatSaysWhatToDo(t *testing.T) {
	selected, err := read(t, named("a"), with("b", "mode: Plan")).Select(profile.Node{})
	errs := inputErrors(t, err)
	if len(selected) > 0 || len(errs) != 1 {
		t.Fatalf("have %d profiles and %v", len(selected), errs)
	}
	e := errs[0]
	if e.Field != "spec.mode" || e.File != "site.yaml" || e.Line == 0 || e.Object != "HostProfile/b" || e.BadValue != "Plan" {
		t.Errorf("have %+v", e)
	}
	if !strings.Contains(e.Hint, "remove mode") || !strings.Contains(e.Hint, "bootstrap plan") {
		t.Errorf("have %q", e.Hint)
	}
}

func TestPausedInAFileIsAMistakeThatSaysWhatToDo(t *testing.T) {
	for field, text := range map[string]string{
		"spec.paused": with("a", "paused: true"),
		"metadata.annotations[hostprofile.io/paused]": strings.Replace(named("a"), "{name: a}", `{name: a, annotations: {hostprofile.io/paused: "true"}}`, 1),
	} {
		_, err := read(t, text).Select(profile.Node{})
		errs := inputErrors(t, err)
		if len(errs) != 1 || errs[0].Field != field || errs[0].Line == 0 || !strings.Contains(errs[0].Hint, "remove it") {
			t.Errorf("have %+v", errs)
		}
	}
}

func TestPlanThatIsPausedIsTwoMistakes(t *testing.T) {
	_, err := read(t, with("a", "mode: Plan, paused: true")).Select(profile.Node{})
	if errs := inputErrors(t, err); len(errs) != 2 {
		t.Errorf("have %v", errs)
	}
}

func TestProfileInAFileThatIsEnforcedAndNotPausedIsFine(t *testing.T) {
	selected, err := read(t, with("a", "mode: Enforce"), with("b", "paused: false"), with("c", "driftPolicy: Report")).Select(profile.Node{})
	if err != nil || namesOf(selected) != "a b c" {
		t.Errorf("have %s, %v", namesOf(selected), err)
	}
}

// What is meant for other nodes is none of this host's business.
func TestPlanForOtherNodesIsPassedOver(t *testing.T) {
	other := strings.Replace(selecting("b", "{matchLabels: {pool: gpu}}"), "nodeSelector:", "mode: Plan, nodeSelector:", 1)
	selected, err := read(t, named("a"), other).Select(profile.Node{Labels: map[string]string{}})
	if err != nil || namesOf(selected) != "a" {
		t.Errorf("have %s, %v", namesOf(selected), err)
	}
}
