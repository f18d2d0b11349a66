package keep_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/keep"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

func TestAPatternIsLeftWhileSomebodyFightsForOneOfItsInterfaces(t *testing.T) {
	const fought = "sysctl/net.ipv4.conf.lxc1/2.rp_filter"
	var r keep.Repairs
	report := item.Report{Stages: []item.StageReport{{Results: []item.Result{
		{Key: fought, Outcome: item.Changed, Drift: true, Have: item.Text("2"), Want: item.Text("0"), Now: item.Text("0")},
		{Key: "sysctl/vm.swappiness", Outcome: item.Right},
	}}}}
	for i := range 3 {
		var log bytes.Buffer
		ring := keep.Ring{Causes: map[string]bool{keep.CauseCluster: true}}
		written := r.Note(&report, ring, start.Add(time.Duration(i)*time.Minute), slog.New(slog.NewTextHandler(&log, nil)))
		if len(written) != 1 || written[0].Key != fought || written[0].Cause != hostops.CauseDrift {
			t.Errorf("written %+v", written)
		}
		if line := log.String(); strings.Count(line, "\n") != 1 || !strings.Contains(line, `msg="changed `+fought+` from 2 to 0" event=changed key=`+fought+" from=2 to=0") || !strings.Contains(line, "cause=drift") {
			t.Errorf("logged %s", line)
		}
	}
	leave := r.Leave(map[string]bool{"told": true}, start.Add(2*time.Minute))
	for key, want := range map[item.Key]bool{
		fought: true, "sysctl/net.ipv4.conf.lxc*.rp_filter": true, "sysctl/net.ipv4.conf.eth*.rp_filter": false,
		"sysctl/net.ipv4.conf.lxc*.forwarding": false, "sysctl/vm.swappiness": false,
	} {
		if got := leave(item.Want{Key: key, Source: item.Source{Profile: "site"}}); got != want {
			t.Errorf("%s is left: %v", key, got)
		}
	}
	if !leave(item.Want{Key: "sysctl/vm.swappiness", Source: item.Source{Profile: "told"}}) {
		t.Error("a profile that only tells is repaired")
	}
}

// Events that come while the loop is at work are one more step, and not lost.
func TestALoopTakesOneStepForAllThatHappened(t *testing.T) {
	h, err := hostops.Open(t.Context(), hostops.Options{Machine: fake.New().Machine()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var rings []keep.Ring
	loop := keep.Loop{Bell: keep.NewBell(), Watcher: h.Watcher(), Log: slog.New(slog.DiscardHandler), Now: time.Now}
	loop.Step = func(_ context.Context, ring keep.Ring) time.Time {
		rings = append(rings, ring)
		if len(rings) == 2 {
			cancel()
		}
		loop.Bell.Ring(hostops.CauseDrift)
		loop.Bell.Ring(keep.CauseCluster)
		return time.Time{}
	}
	loop.Run(ctx)
	if len(rings) != 2 || rings[0].Cause() != keep.CauseStart || !rings[1].Causes[keep.CauseCluster] || rings[1].Cause() != hostops.CauseDrift || rings[1].Drift.IsZero() {
		t.Errorf("steps %+v", rings)
	}
}
