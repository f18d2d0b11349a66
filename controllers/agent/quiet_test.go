package agent_test

import (
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
)

// A profile that goes while nothing may be written is told once, and not again and again.
func TestWhatGoesWhileNothingIsWrittenIsToldOnce(t *testing.T) {
	for name, stop := range map[string]func(w *world){
		"the node is paused":      func(w *world) { w.server.view.Node.PausedUntil = w.now.Add(24 * time.Hour) },
		"the host was given back": func(w *world) { w.down() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.have(site("10"))
			stop(w)
			w.step().have().after(6 * time.Minute)
			reports := w.server.count
			w.after(time.Hour)
			if n := w.server.count - reports; n > 0 {
				t.Errorf("%d new reports in an hour in which nothing happens", n)
			}
		})
	}
}

// `down` takes what was accepted from the host, and `up` does not bring it back.
func TestAProfileThatWentBeforeTheHostCameBackIsNotAppliedAgain(t *testing.T) {
	w := newWorld(t)
	was, _ := w.host.Sysctl(swappiness)
	w.have(site("10"))
	h := w.down()
	w.step().have().is(swappiness, was).state(v1alpha1.NodeDisabled)
	if _, err := h.Up(t.Context(), []v1alpha1.HostProfile{{}}, hostops.UpOptions{}); err != nil {
		t.Fatal(err)
	}
	w.step().is(swappiness, was).state(v1alpha1.NodeReady)
}

// down gives the host back by hand.
func (w *world) down() *hostops.Host {
	w.t.Helper()
	h, err := hostops.Open(w.t.Context(), hostops.Options{Machine: w.host.Machine(), Version: "test"})
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := h.Down(w.t.Context(), hostops.DownOptions{}); err != nil {
		w.t.Fatal(err)
	}
	return h
}
