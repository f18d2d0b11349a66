package agent_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/agent"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// server is a cluster in memory.
type server struct {
	view      wish.View
	doubtful  []string
	published *report.Report
	count     int // of reports that say something new
	silent    bool
}

func (s *server) View() wish.View      { return s.view }
func (s *server) Doubt(names []string) { s.doubtful = names }
func (s *server) Publish(r report.Report) {
	if s.published == nil || !report.Same(&s.published.Status, &r.Status) {
		s.count++
	}
	s.published = &r
}

func (s *server) Published() (*v1alpha1.HostReport, bool) {
	if s.published == nil {
		return nil, !s.silent
	}
	return &s.published.Status, !s.silent
}

// world is one host with an agent, and a cluster.
type world struct {
	t       *testing.T
	host    *fake.Host
	process *fake.Process
	server  *server
	agent   *agent.Agent
	metrics *agent.Metrics
	now     time.Time
	log     bytes.Buffer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, host: fake.New(), server: &server{}, now: start}
	n := wish.NodeOf("node-1", map[string]string{"role": "worker"}, nil, "")
	w.server.view = wish.View{Synced: true, CRD: "crd-1", Node: &n}
	w.restart()
	return w
}

// restart ends the agent and starts another one.
func (w *world) restart() {
	w.t.Helper()
	w.process = w.host.Start()
	h, err := hostops.Open(w.t.Context(), hostops.Options{Machine: w.process.Machine(), Version: "test", Holder: "agent"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.metrics = agent.NewMetrics("test")
	w.agent = agent.New(agent.Options{
		Host: h, Cluster: w.server, Metrics: w.metrics, Version: "test", Patience: wish.DefaultPatience(),
		Log: slog.New(slog.NewTextHandler(&w.log, nil)), Now: func() time.Time { return w.now },
	})
}

func (w *world) step() *world {
	w.t.Helper()
	w.agent.Step(w.t.Context(), keep.Ring{Causes: map[string]bool{keep.CauseCluster: true}})
	return w
}

// have makes these the profiles of the cluster, "name spec" each, and takes a step.
func (w *world) have(profiles ...string) *world {
	w.t.Helper()
	w.server.view.Profiles = nil
	for _, p := range profiles {
		name, spec, _ := strings.Cut(p, " ")
		text := fmt.Sprintf(`{"metadata":{"name":%q,"uid":%q,"generation":1},"spec":{"nodeSelector":{},%s}}`, name, name, spec)
		f, ok := wish.Read([]byte(text))
		if !ok {
			w.t.Fatalf("cannot read %s", text)
		}
		w.server.view.Profiles = append(w.server.view.Profiles, f)
	}
	return w.step()
}

// after lets time pass, with evidence every ten seconds.
func (w *world) after(d time.Duration) *world {
	for end := w.now.Add(d); w.now.Before(end); {
		w.now = w.now.Add(10 * time.Second)
		w.server.view.Evidence = &wish.Evidence{At: w.now, Profiles: w.server.view.Profiles, Gone: w.server.doubtful, CRD: "crd-1", Node: w.server.view.Node}
		w.step()
	}
	return w
}

// is compares a live value.
func (w *world) is(path, want string) *world {
	w.t.Helper()
	if got, _ := w.host.Sysctl(path); got != want {
		w.t.Errorf("%s is %s, want %s", path, got, want)
	}
	return w
}

func (w *world) state(want v1alpha1.NodeState) *world {
	w.t.Helper()
	if w.server.published == nil {
		w.t.Fatalf("nothing is published, want %s", want)
	}
	if got := w.server.published.Status.State; got != want {
		w.t.Errorf("state %s, want %s: %+v", got, want, w.server.published.Status.Exceptions)
	}
	return w
}

const swappiness = "vm/swappiness"

func site(value string) string {
	return `site "sysctls":[{"name":"vm.swappiness","value":` + value + `}]`
}

func TestAProfileIsAppliedEditedAndGivenBack(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.have(site("10")).is(swappiness, "10").state(v1alpha1.NodeReady)
	w.have(site("20")).is(swappiness, "20").state(v1alpha1.NodeReady)
	w.have().is(swappiness, "20").state(v1alpha1.NodeProgressing)
	w.after(30*time.Second).is(swappiness, "20")
	w.after(10*time.Second).is(swappiness, was).state(v1alpha1.NodeReady)
}

func TestTheLoopWorksFromDiskWithoutACluster(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.server.view, w.server.silent = wish.View{}, true
	w.host.Reboot()
	w.host.Delete(paths.SysctlDropIn) // as on a host whose /etc is made anew
	_ = w.host.SetSysctl(swappiness, "60")
	w.restart()
	w.step().is(swappiness, "10")
	_ = w.host.SetSysctl(swappiness, "60")
	w.step().is(swappiness, "10")
}

func TestARestartWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"), `tuning "priority":5,"mode":"Plan","sysctls":[{"name":"vm.swappiness","value":20}]`)
	_ = w.host.SetSysctl(swappiness, "60")
	w.step()
	before, reports := w.host.Mutations(), w.server.count
	for range 3 {
		w.restart()
		w.step().step()
	}
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d changes of the host", n)
	}
	if n := w.server.count - reports; n > 0 {
		t.Errorf("%d new reports", n)
	}
}

func TestDriftIsRepairedAndCountedAcrossRestarts(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	_ = w.host.SetSysctl(swappiness, "60")
	w.step().is(swappiness, "10")
	w.restart()
	_ = w.host.SetSysctl(swappiness, "60")
	w.step().is(swappiness, "10")
	if got := w.server.published.Status.Drift; got.Repaired != 2 || got.LastKey != "sysctl/vm.swappiness" {
		t.Errorf("%+v", got)
	}
}

func TestDriftOfAProfileThatReportsIsToldAndLeft(t *testing.T) {
	w := newWorld(t)
	w.have(`site "driftPolicy":"Report","sysctls":[{"name":"vm.swappiness","value":10}]`)
	_ = w.host.SetSysctl(swappiness, "60")
	w.step().is(swappiness, "60").state(v1alpha1.NodeDegraded)
	w.have(`site "driftPolicy":"Report","sysctls":[{"name":"vm.swappiness","value":11}]`).state(v1alpha1.NodeDegraded)
}

func TestSomebodyWhoFightsIsToldAndLeftAlone(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	for range 4 {
		w.now = w.now.Add(10 * time.Second)
		_ = w.host.SetSysctl(swappiness, "60")
		w.step()
	}
	w.is(swappiness, "60").state(v1alpha1.NodeDegraded)
	e := w.server.published.Status.Exceptions[0]
	if e.Reason != v1alpha1.ReasonContended || !strings.Contains(e.Message, "60") || !strings.Contains(e.Message, "want 10") {
		t.Errorf("%+v", e)
	}
	w.now = w.now.Add(time.Minute)
	w.step().is(swappiness, "10").state(v1alpha1.NodeDegraded)
	w.now = w.now.Add(time.Hour)
	w.step().state(v1alpha1.NodeReady)
}

func TestRepairsOfAFightBecomeRareAndTheReportSaysWhoAndHowOften(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	var repairs []time.Duration
	fought := func(d time.Duration) { // somebody sets it every ten seconds
		for end := w.now.Add(d); w.now.Before(end); {
			w.now = w.now.Add(10 * time.Second)
			_ = w.host.SetSysctl(swappiness, "60")
			w.step()
			if got, _ := w.host.Sysctl(swappiness); got == "10" {
				repairs = append(repairs, w.now.Sub(start))
			}
		}
	}
	fought(2 * time.Hour)
	// Three at once, then after 30 s, 1, 2, 4, 8, 16 and 30 minutes, and every 30 minutes.
	if len(repairs) < 9 || len(repairs) > 12 {
		t.Errorf("%d repairs in two hours: %v", len(repairs), repairs)
	}
	for i := 4; i < len(repairs)-1; i++ {
		if last, next := repairs[i]-repairs[i-1], repairs[i+1]-repairs[i]; next < last {
			t.Errorf("repairs become more frequent: %v", repairs)
		}
	}
	w.state(v1alpha1.NodeDegraded)
	e := w.server.published.Status.Exceptions[0]
	if e.Reason != v1alpha1.ReasonContended || !strings.Contains(e.Message, "to 60 again and again, about every 10s;") ||
		!strings.Contains(e.Message, "want 10; likely tuned") {
		t.Errorf("%+v", e)
	}
}

func TestAFightIsToldUntilAnHourWithoutAChange(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	for range 3 {
		w.now = w.now.Add(10 * time.Second)
		_ = w.host.SetSysctl(swappiness, "60")
		w.step()
	}
	w.now = w.now.Add(time.Minute)
	w.step().is(swappiness, "10").state(v1alpha1.NodeDegraded)
	if e := w.server.published.Status.Exceptions[0]; !strings.Contains(e.Message, "about every 10s") {
		t.Errorf("%+v", e)
	}
	reports := w.server.count
	w.after(58*time.Minute).is(swappiness, "10").state(v1alpha1.NodeDegraded)
	if n := w.server.count - reports; n > 0 {
		t.Errorf("%d new reports about a fight that rests", n)
	}
	w.after(2 * time.Minute).state(v1alpha1.NodeReady)
}

func TestAConflictHoldsWhatIsAppliedInEveryOrder(t *testing.T) {
	a, b := `a "sysctls":[{"name":"vm.swappiness","value":10}]`, `b "sysctls":[{"name":"vm.swappiness","value":20}]`
	for _, order := range [][]string{{a, b}, {b, a}} {
		w := newWorld(t)
		w.have(order[0])
		applied, _ := w.host.Sysctl(swappiness)
		w.have(order...).is(swappiness, applied).state(v1alpha1.NodeDegraded)
		_ = w.host.SetSysctl(swappiness, "42")
		w.step().is(swappiness, "42") // neither written
		w.have(order[0]).is(swappiness, "42").after(40*time.Second).is(swappiness, applied).state(v1alpha1.NodeReady)
	}
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.have(a, b).is(swappiness, was).state(v1alpha1.NodeDegraded)
}

func TestPausedHoldsAndPlansShowWhatWouldChange(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.have(`site "paused":true,"sysctls":[{"name":"vm.swappiness","value":20}]`).is(swappiness, "10").state(v1alpha1.NodePaused)
	p := w.server.published.Status.Planned
	if p == nil || p.Total != 1 || p.Changes[0].Want != "20" {
		t.Errorf("planned %+v", p)
	}
	_ = w.host.SetSysctl(swappiness, "42")
	w.step().is(swappiness, "42")
	w.have(site("20")).is(swappiness, "20").state(v1alpha1.NodeReady)
}

func TestAPausedNodeWritesNothing(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.server.view.Node.PausedUntil = w.now.Add(time.Hour)
	before := w.host.Mutations()
	_ = w.host.SetSysctl(swappiness, "42")
	w.have(site("20")).is(swappiness, "42").state(v1alpha1.NodePaused)
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d changes", n)
	}
	if p := w.server.published.Status.Planned; p == nil || p.Total != 1 {
		t.Errorf("planned %+v", p)
	}
	w.now = w.now.Add(time.Hour)
	w.step().is(swappiness, "20").state(v1alpha1.NodeReady)
}

func TestANodeThatIsToBeRemovedGetsEverythingBackAndComesBack(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.have(site("10"))
	w.server.view.Node.Removed = true
	w.step().is(swappiness, was).state(v1alpha1.NodeRemoved)
	if len(w.server.published.Node) > 0 {
		t.Error("conditions are left on the Node")
	}
	before := w.host.Mutations()
	w.restart()
	w.step().step()
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d changes after everything was given back", n)
	}
	w.server.view.Node.Removed = false
	w.step().is(swappiness, "10").state(v1alpha1.NodeReady)
}

func TestAGiveBackThatDiedAndWasCalledOffLeavesTheHostInOurHands(t *testing.T) {
	for at := range 40 {
		w := newWorld(t)
		w.have(site("10"))
		w.server.view.Node.Removed = true
		w.host.StopAt(at)
		w.step()
		w.host.Revive()
		view := w.server.view
		w.server.view = wish.View{} // nobody says yet that it was called off
		w.restart()
		before := w.host.Mutations()
		w.step()
		if _, begun := w.host.File(paths.Disabled); begun && w.host.Mutations() > before+2 { // the run lock
			t.Errorf("killed at %d, the host was changed before the Node was known", at)
		}
		w.server.view = view
		w.server.view.Node.Removed = false
		w.step().is(swappiness, "10").state(v1alpha1.NodeReady)
	}
}

func TestAHostThatWasTakenDownIsLeftAlone(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.have(site("10"))
	h, err := hostops.Open(t.Context(), hostops.Options{Machine: w.host.Machine(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Down(t.Context(), hostops.DownOptions{}); err != nil {
		t.Fatal(err)
	}
	w.step().is(swappiness, was).state(v1alpha1.NodeDisabled)
}

func TestANodeOfAnotherMachineIsNotWrittenNorIsTheHost(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile(paths.MachineID, strings.Repeat("a", 32)+"\n")
	w.restart()
	w.server.view.Node.MachineID = strings.Repeat("b", 32)
	before := w.host.Mutations()
	w.have(site("10"))
	if w.host.Mutations() != before || w.server.published != nil {
		t.Error("something was written")
	}
	if !strings.Contains(w.log.String(), "NodeNameTaken") {
		t.Errorf("log %s", w.log.String())
	}
}

func TestAProfileThatIsNotUnderstoodHarmsOnlyItself(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.have(site(`20,"colour":"red"`), `other "sysctls":[{"name":"vm.max_map_count","value":262144}]`)
	w.is(swappiness, "10").is("vm/max_map_count", "262144").state(v1alpha1.NodeDegraded)
}

func TestDamagedAcceptedProfilesUndoNothingAndNameTheCommandThatHelps(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.host.PutFile(paths.Accepted, "garbage")
	w.restart()
	before := w.host.Mutations()
	w.have().state(v1alpha1.NodeDegraded).after(time.Minute).is(swappiness, "10")
	if n := w.host.Mutations() - before; n > 2 { // the run lock
		t.Errorf("the host was changed %d times", n)
	}
	ready := w.server.published.Status.Conditions[0]
	if ready.Reason != string(v1alpha1.ReasonAcceptedUnreadable) || !strings.Contains(ready.Message, "for this node, profiles that it has settings of: site") ||
		!strings.Contains(ready.Message, "mv "+paths.Accepted+" "+paths.AcceptedAside) {
		t.Errorf("%+v", ready)
	}
	w.host.Delete(paths.Accepted) // as the command does
	was, _ := fake.New().Sysctl(swappiness)
	w.step().is(swappiness, was).state(v1alpha1.NodeReady)
}

func TestDamagedAcceptedProfilesAreReplacedByWhatTheClusterWishes(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.host.PutFile(paths.Accepted, "garbage")
	view := w.server.view
	w.server.view = wish.View{} // the server is not heard yet
	w.restart()
	w.step().is(swappiness, "10")
	if _, aside := w.host.File(paths.AcceptedAside); aside {
		t.Error("set aside before there is anything instead")
	}
	w.server.view = view
	_ = w.host.SetSysctl(swappiness, "60")
	w.step().is(swappiness, "10").state(v1alpha1.NodeReady)
	if aside, _ := w.host.File(paths.AcceptedAside); aside != "garbage" {
		t.Errorf("kept aside: %q", aside)
	}
	w.have(site("20")).is(swappiness, "20").have().after(time.Minute)
	was, _ := fake.New().Sysctl(swappiness)
	w.is(swappiness, was)
}

func TestDamagedAcceptedProfilesAreLeftWhileTheNodeIsPaused(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.host.PutFile(paths.Accepted, "garbage")
	w.server.view.Node.PausedUntil = w.now.Add(time.Hour)
	w.restart()
	before := w.host.Mutations()
	w.have(site("20")).state(v1alpha1.NodeDegraded)
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("the host was changed %d times", n)
	}
}

func TestDamagedAcceptedProfilesAreNoHindranceToGivingEverythingBack(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.have(site("10"))
	w.host.PutFile(paths.Accepted, "garbage")
	w.server.view.Node.Removed = true
	w.restart()
	w.step().is(swappiness, was).state(v1alpha1.NodeRemoved)
}

func TestANewInterfaceGetsItsPattern(t *testing.T) {
	w := newWorld(t)
	w.have(`cni "sysctls":[{"name":"net.ipv4.conf.lxc*.rp_filter","value":0}]`)
	_ = w.host.SetSysctl("net/ipv4/conf/default/rp_filter", "2")
	w.host.AddLink("lxc1")
	w.step().is("net/ipv4/conf/lxc1/rp_filter", "0").state(v1alpha1.NodeReady)
}

func TestAnotherRunAtWorkIsWaitedForAndNothingIsTold(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	other := w.host.Start().Machine()
	release, err := other.Locks.TryLock(paths.RunLock, "bootstrap up, pid 7")
	if err != nil {
		t.Fatal(err)
	}
	reports := w.server.count
	w.have(site("20")).is(swappiness, "10")
	if w.server.count != reports {
		t.Error("a busy host was reported")
	}
	_ = release()
	w.step().is(swappiness, "20")
}

func TestAFullDiskIsToldAndOverWhenThereIsSpace(t *testing.T) {
	w := newWorld(t)
	w.have(site("10"))
	w.host.FillDisk(true)
	w.have(site("20")).state(v1alpha1.NodeDegraded).is(swappiness, "10")
	w.host.FillDisk(false)
	w.step().is(swappiness, "20").state(v1alpha1.NodeReady)
}
