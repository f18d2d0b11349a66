package wish_test

import (
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/controllers/wish"
)

const pausedForControl = `{"nodeSelector":{"matchLabels":{"role":"control"}},"paused":true,"sysctls":[{"name":"vm.swappiness","value":20}]}`

// An edit of a paused profile is not acted on, and its selector is part of it.
func TestAPausedProfileHoldsAlsoWhereItsNewSelectorDoesNotSelect(t *testing.T) {
	c := story(t, object(t, "a", 1, workers)).have(object(t, "a", 2, pausedForControl)).is("a@1 held")
	c.after(time.Hour).is("a@1 held")
	if p := c.decision.Profiles; len(p) != 1 || p[0].State != wish.Paused {
		t.Errorf("%+v", p)
	}
	if p := c.decision.Preview; p == nil || len(p) > 0 {
		t.Errorf("preview %+v", p)
	}
	c.have(object(t, "a", 3, pausedForControl[:len(`{"nodeSelector":{"matchLabels":{"role":"control"}}`)]+"}")).is("a@1 held")
	c.after(40 * time.Second).is("")
}

func TestALabelTakesANodeOutOfAPausedProfile(t *testing.T) {
	c := story(t, object(t, "a", 1, workers)).have(object(t, "a", 2, `{"paused":true,`+workers[1:])).is("a@1 held")
	c.view.Node = node("node-1", "control")
	c.step().after(30 * time.Second).is("a@1 held").after(10 * time.Second).is("")
}

// A run that is refused, or a node that is paused, leaves accepted what was to go.
func TestWhatIsBelievedToBeGoneIsGoneUntilThatIsActedOn(t *testing.T) {
	a := object(t, "a", 1, all)
	c := story(t, a)
	accepted := c.accepted
	c.have()
	for range 6 * 60 {
		c.now = c.now.Add(10 * time.Second)
		if c.view.Evidence = nil; len(c.decision.Doubtful) > 0 {
			c.view.Evidence = c.evidence()
		}
		c.accepted = accepted
		c.step()
		if gone := c.now.Sub(start) > 40*time.Second; gone && len(c.decision.Profiles) > 0 {
			t.Fatalf("after %s it is %+v", c.now.Sub(start), c.decision.Profiles)
		}
	}
	c.accepted = accepted
	c.have(a).is("a@1").have().is("a@1") // it came back: everything begins anew
}
