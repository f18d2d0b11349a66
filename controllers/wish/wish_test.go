package wish_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
)

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// object is a stored HostProfile: "name spec".
func object(t *testing.T, name string, generation int, spec string) wish.Found {
	t.Helper()
	return annotated(t, name, generation, spec, "{}")
}

func annotated(t *testing.T, name string, generation int, spec, annotations string) wish.Found {
	t.Helper()
	text := fmt.Sprintf(`{"apiVersion":"hostprofile.io/v1alpha1","kind":"HostProfile","metadata":{"name":%q,"uid":"u-%s","generation":%d,"annotations":%s},"spec":%s}`,
		name, name, generation, annotations, spec)
	f, ok := wish.Read([]byte(text))
	if !ok {
		t.Fatalf("cannot read %s", text)
	}
	return f
}

const (
	all     = `{"nodeSelector":{},"sysctls":[{"name":"vm.swappiness","value":10}]}`
	workers = `{"nodeSelector":{"matchLabels":{"role":"worker"}},"sysctls":[{"name":"vm.swappiness","value":10}]}`
	plan    = `{"nodeSelector":{},"mode":"Plan","sysctls":[{"name":"vm.swappiness","value":20}]}`
	paused  = `{"nodeSelector":{},"paused":true,"sysctls":[{"name":"vm.swappiness","value":20}]}`
	unknown = `{"nodeSelector":{},"sysctls":[],"firewall":{}}`
)

// cluster is one story: what the API server has, and what the node follows.
type cluster struct {
	t        *testing.T
	memory   *wish.Memory
	now      time.Time
	view     wish.View
	accepted []hostops.Accepted
	server   []wish.Found // what evidence shows
	crd      string
	decision wish.Decision
}

func story(t *testing.T, found ...wish.Found) *cluster {
	t.Helper()
	c := &cluster{t: t, memory: wish.NewMemory(wish.DefaultPatience()), now: start, crd: "crd-1"}
	c.view = wish.View{Synced: true, CRD: "crd-1", Node: node("node-1", "worker")}
	c.have(found...)
	return c
}

func node(uid, role string) *wish.Node {
	n := wish.NodeOf(uid, map[string]string{"role": role}, nil, "")
	return &n
}

// have makes the server and the watch show these profiles, and decides.
func (c *cluster) have(found ...wish.Found) *cluster {
	c.server, c.view.Profiles = found, found
	return c.step()
}

func (c *cluster) step() *cluster {
	c.decision = c.memory.Next(c.view, c.accepted, c.now)
	c.accepted = c.decision.Accepted
	return c
}

// after lets time pass, with evidence every ten seconds.
func (c *cluster) after(d time.Duration) *cluster {
	for end := c.now.Add(d); c.now.Before(end); {
		c.now = c.now.Add(10 * time.Second)
		c.view.Evidence = c.evidence()
		c.step()
	}
	return c
}

func (c *cluster) evidence() *wish.Evidence {
	e := &wish.Evidence{At: c.now, Profiles: c.server, CRD: c.crd, Node: c.view.Node}
	for _, name := range c.decision.Doubtful {
		gone := true
		for _, f := range c.server {
			gone = gone && f.Name != name
		}
		if gone {
			e.Gone = append(e.Gone, name)
		}
	}
	return e
}

// is compares what is followed: "name@generation", "held" if it holds.
func (c *cluster) is(want string) *cluster {
	c.t.Helper()
	var got []string
	for _, a := range c.accepted {
		s := fmt.Sprintf("%s@%d", a.Profile.Name, a.Profile.Generation)
		if a.Hold {
			s += " held"
		}
		got = append(got, s)
	}
	if s := strings.Join(got, ", "); s != want {
		c.t.Errorf("follows %q, want %q", s, want)
	}
	return c
}

func TestWhatIsSelectedIsFollowedSortedByName(t *testing.T) {
	story(t, object(t, "b", 2, workers), object(t, "a", 1, all), object(t, "c", 1, `{"nodeSelector":{"matchLabels":{"role":"control"}}}`)).
		is("a@1, b@2")
}

func TestAMissingSelectorIsNotUnderstoodAndNeverMeansAll(t *testing.T) {
	c := story(t, object(t, "a", 1, `{"sysctls":[]}`)).is("")
	if len(c.decision.Profiles) != 1 || c.decision.Profiles[0].State != wish.NotUnderstood {
		t.Errorf("%+v", c.decision.Profiles)
	}
}

func TestAnUnknownFieldLeavesTheLastGenerationInForce(t *testing.T) {
	c := story(t, object(t, "a", 1, all)).have(object(t, "a", 2, unknown)).is("a@1")
	p := c.decision.Profiles[0]
	if p.State != wish.NotUnderstood || p.Generation != 1 || !strings.Contains(p.Problem, "firewall") {
		t.Errorf("%+v", p)
	}
	c.after(10 * time.Minute).is("a@1").have(object(t, "a", 3, all)).is("a@3")
}

func TestAFieldBesideTheSpecIsNoReasonNotToUnderstand(t *testing.T) {
	f, ok := wish.Read([]byte(`{"metadata":{"name":"a"},"spec":` + all + `,"status":{"newer":1}}`))
	if !ok || f.Profile == nil {
		t.Errorf("%+v", f)
	}
}

func TestABrokenRuleOfAStoredObjectIsNotUnderstood(t *testing.T) {
	story(t, object(t, "a", 1, `{"nodeSelector":{},"sysctls":[{"name":"kernel.core_pattern","value":"|/bin/sh"}]}`)).is("")
}

func TestOneThatIsNotUnderstoodAndForOtherNodesIsNotTold(t *testing.T) {
	c := story(t, object(t, "a", 1, `{"nodeSelector":{"matchLabels":{"role":"control"}},"firewall":{}}`))
	if len(c.decision.Profiles) > 0 {
		t.Errorf("%+v", c.decision.Profiles)
	}
}

func TestWithoutListOrNodeNothingChanges(t *testing.T) {
	c := story(t, object(t, "a", 1, all))
	c.view.Synced = false
	c.have().is("a@1")
	c.view.Synced, c.view.Node = true, nil
	c.have(object(t, "b", 1, all)).is("a@1")
}

func TestAPausedProfileHoldsWhatItHadAndShowsWhatWouldChange(t *testing.T) {
	c := story(t, object(t, "a", 1, all)).have(object(t, "a", 2, paused)).is("a@1 held")
	if len(c.decision.Preview) != 1 || c.decision.Preview[0].Profile.Generation != 2 || c.decision.Preview[0].Hold {
		t.Errorf("preview %+v", c.decision.Preview)
	}
	c.have(object(t, "a", 3, all)).is("a@3")
	if c.decision.Preview != nil {
		t.Error("a preview without anything paused")
	}
}

func TestTheAnnotationPausesLikeTheSpec(t *testing.T) {
	story(t, object(t, "a", 1, all)).have(annotated(t, "a", 1, all, `{"hostprofile.io/paused":"true"}`)).is("a@1 held")
}

func TestAPlanTakesNoPart(t *testing.T) {
	c := story(t, object(t, "a", 1, plan)).is("")
	if len(c.decision.Preview) != 1 || c.decision.Profiles[0].State != wish.Planned {
		t.Errorf("%+v", c.decision)
	}
}

func TestAPlanThatWasEnforcedUnderTheSameNameHolds(t *testing.T) {
	story(t, object(t, "a", 1, all)).have(object(t, "a", 1, plan)).is("a@1 held")
}

func TestDeletionIsBelievedAfterThirtySeconds(t *testing.T) {
	c := story(t, object(t, "a", 1, all), object(t, "b", 1, all)).have(object(t, "b", 1, all)).is("a@1, b@1")
	if len(c.decision.Doubtful) != 1 || c.decision.Profiles[0].State != wish.Releasing {
		t.Errorf("%+v", c.decision)
	}
	c.after(30 * time.Second).is("a@1, b@1").after(10 * time.Second).is("b@1")
}

func TestDeletionOfAHeldProfileReleasesIt(t *testing.T) {
	story(t, object(t, "a", 1, all)).have(object(t, "a", 2, paused)).have().after(40 * time.Second).is("")
}

func TestDeselectionIsBelievedAfterThirtySeconds(t *testing.T) {
	c := story(t, object(t, "a", 1, workers))
	c.view.Node = node("node-1", "control")
	c.step().after(30 * time.Second).is("a@1").after(10 * time.Second).is("")
}

func TestWhatComesBackInTimeNeverLeft(t *testing.T) {
	a := object(t, "a", 1, all)
	c := story(t, a).have().after(30 * time.Second).have(a).after(time.Minute).is("a@1")
	c.have().after(30 * time.Second).is("a@1") // it starts anew
}

func TestWithoutEvidenceNothingIsBelieved(t *testing.T) {
	c := story(t, object(t, "a", 1, all)).have()
	for range 100 {
		c.now = c.now.Add(time.Minute)
		c.step()
	}
	c.is("a@1")
}

func TestEvidenceFromBeforeItWasSeenDoesNotCount(t *testing.T) {
	c := story(t, object(t, "a", 1, all))
	old := &wish.Evidence{At: c.now, Gone: []string{"a"}, CRD: "crd-1", Node: c.view.Node}
	c.now = c.now.Add(time.Minute)
	c.step() // seen again
	c.have()
	c.view.Evidence = old
	c.step().after(20 * time.Second).is("a@1")
}

func TestAListThatLacksAProfileThatIsThereDoesNotCount(t *testing.T) {
	c := story(t, object(t, "a", 1, all)).have()
	for range 100 {
		c.now = c.now.Add(10 * time.Second)
		c.view.Evidence = &wish.Evidence{At: c.now, CRD: "crd-1", Node: c.view.Node} // not asked for alone
		c.step()
	}
	c.is("a@1")
}

func TestACRDThatGoesAwayUndoesNothing(t *testing.T) {
	c := story(t, object(t, "a", 1, all)).have()
	c.crd = "" // terminating, or gone
	c.after(time.Hour).is("a@1")
}

func TestACRDThatCameBackLeavesFiveMinutes(t *testing.T) {
	a := object(t, "a", 1, all)
	c := story(t, a).have()
	c.crd, c.view.CRD = "crd-2", "crd-2"
	c.after(5 * time.Minute).is("a@1").after(20 * time.Second).is("")
	c = story(t, a).have()
	c.crd, c.view.CRD = "crd-2", "crd-2"
	c.after(4 * time.Minute).have(a).is("a@1").after(time.Hour).is("a@1")
}

func TestANodeThatCameBackWithoutItsLabelsLeavesFiveMinutes(t *testing.T) {
	c := story(t, object(t, "a", 1, workers))
	c.view.Node = nil
	c.step().after(time.Hour).is("a@1")
	c.view.Node = node("node-2", "")
	c.step().after(5 * time.Minute).is("a@1").after(20 * time.Second).is("")
}

func TestAnAgentThatStartedTrustsNothingForFiveMinutes(t *testing.T) {
	c := story(t, object(t, "a", 1, all))
	c.memory = wish.NewMemory(wish.DefaultPatience())
	c.have().after(5 * time.Minute).is("a@1").after(20 * time.Second).is("")
}

func TestTheSameDecisionWhateverTheOrder(t *testing.T) {
	a, b, d := object(t, "a", 1, all), object(t, "b", 1, paused), object(t, "d", 1, unknown)
	first := ""
	for _, order := range [][]wish.Found{{a, b, d}, {a, d, b}, {b, a, d}, {b, d, a}, {d, a, b}, {d, b, a}} {
		text, err := json.Marshal(story(t, order...).decision)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(text)
		}
		if string(text) != first {
			t.Errorf("%s\nand\n%s", text, first)
		}
	}
}

func TestAPauseOfTheNodeEnds(t *testing.T) {
	for _, c := range []struct {
		name  string
		ask   time.Duration
		lasts time.Duration
	}{
		{"in an hour", time.Hour, time.Hour},
		{"after a day at most", 300 * 24 * time.Hour, 24 * time.Hour},
		{"at once if it is over", -time.Hour, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := wish.NodeOf("", nil, map[string]string{wish.AnnotationPausedUntil: start.Add(c.ask).Format(time.RFC3339)}, "")
			var p wish.Pause
			if got := p.Until(&n, start); c.lasts > 0 && !got.Equal(start.Add(c.lasts)) || c.lasts == 0 && !got.IsZero() {
				t.Errorf("until %s", got)
			}
			if got := p.Until(&n, start.Add(c.lasts)); !got.IsZero() {
				t.Errorf("still paused until %s", got)
			}
		})
	}
}
