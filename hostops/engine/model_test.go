package engine_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

var (
	modelSteps = flag.Int("model.steps", 6_000, "how many events the model test plays")
	modelSeed  = flag.Uint64("model.seed", 1, "which histories the model test plays")
)

// TestModel plays random histories of wishes, deaths, power cuts, reboots, foreign
// writers, admins, kernels and interfaces, and checks after each event that
//
//	G1 two runs after the faults stop the host is as wished, and the third changes nothing
//	G2 giving back gives what the host has without us
//	G3 a value of others is never overwritten by giving back
//	G4 drift is told only of what others wrote
//	G5 records go with what they are about, and do not grow
//	G7 a stage writes each ledger at most twice, and not at all if nothing changes
//
// G6, a lost or unreadable ledger, has tests of its own.
func TestModel(t *testing.T) {
	const length = 40
	r := rand.New(rand.NewPCG(*modelSeed, 1))
	steps, limit := 0, *modelSteps
	if raceEnabled {
		limit /= 4 // the race detector makes it as much slower, and there is one goroutine
	}
	for steps < limit {
		stable := r.IntN(3) == 0
		history := randomHistory(r, stable, length)
		steps += len(history)
		if problem, at := play(history, stable); problem != "" {
			history = shorten(history[:at+1], stable, problem)
			problem, _ = play(history, stable)
			t.Fatalf("%s\nstable world: %v\n%s", problem, stable, strings.Join(describe(history), "\n"))
		}
	}
	t.Logf("==> model of the engine: %d events, seed %d", steps, *modelSeed)
}

func describe(history []event) []string {
	out := make([]string, len(history))
	for i, e := range history {
		out[i] = "  " + e.String()
	}
	return out
}

func randomHistory(r *rand.Rand, stable bool, length int) []event {
	out := make([]event, length)
	for i := range out {
		out[i] = randomEvent(r, stable)
	}
	return out
}

func pick(r *rand.Rand, list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[r.IntN(len(list))]
}

func randomEvent(r *rand.Rand, stable bool) event {
	key := r.IntN(len(modelKeys))
	k := modelKeys[key]
	switch n := r.IntN(100); {
	case n < 28:
		return event{do: "run"}
	case n < 40:
		return event{do: "kill", n: r.IntN(24)}
	case n < 46:
		return event{do: "cut", n: r.IntN(24)}
	case n < 52:
		return event{do: "reboot"}
	case n < 56:
		return event{do: "wish", key: key}
	case n < 76:
		return event{do: "wish", key: key, value: pick(r, k.wishes)}
	case n < 79:
		return event{do: "module", n: r.IntN(2)}
	case n < 84:
		return event{do: "link", value: pick(r, modelLinks)}
	case stable:
		return event{do: "run"}
	default:
		return randomDisturbance(r, key)
	}
}

func randomDisturbance(r *rand.Rand, key int) event {
	k := modelKeys[key]
	switch n := r.IntN(20); {
	case n < 8 && k.foreign != nil:
		return event{do: "foreign", key: key, value: pick(r, k.foreign)}
	case n < 9 && k.foreign != nil:
		return event{do: "race", key: key, value: pick(r, k.foreign), n: r.IntN(16)}
	case n < 11 && k.boot != nil && k.name != "vm.dirty_bytes" && k.name != "net.ipv4.ip_forward":
		return event{do: "default", key: key, value: pick(r, k.boot)}
	case n < 14 && k.boot != nil:
		return event{do: "admin", key: key, value: pick(r, append(slices.Clone(k.boot), "")), n: r.IntN(2)}
	case n < 15:
		return event{do: "reader", n: r.IntN(2)}
	case n < 16:
		return event{do: "clamp", n: []int{0, 2, 50}[r.IntN(3)]}
	case n < 18 && (strings.HasPrefix(k.name, "vm.") && !strings.Contains(k.name, "dirty") || strings.HasPrefix(k.name, "net.bridge")):
		return event{do: "hide", key: key, n: r.IntN(2)}
	case n < 19 && !strings.Contains(k.name, "*"):
		return event{do: "fail", key: key, n: r.IntN(2)}
	case n < 20:
		return event{do: "edit"}
	default:
		return event{do: "run"}
	}
}

// play lets a history happen and checks the promises after every event.
func play(history []event, stable bool) (problem string, at int) {
	w := newModelWorld(stable)
	for i, e := range history {
		if problem := w.apply(e); problem != "" {
			return problem, i
		}
		if i%3 == 2 || i == len(history)-1 {
			if problem := w.check(); problem != "" {
				return problem, i
			}
		}
	}
	return "", 0
}

// shorten drops events for as long as the same promise is broken.
func shorten(history []event, stable bool, problem string) []event {
	kind, _, _ := strings.Cut(problem, " ")
	for again := true; again; {
		again = false
		for i := range history {
			shorter := slices.Delete(slices.Clone(history), i, i+1)
			if p, at := play(shorter, stable); strings.HasPrefix(p, kind) {
				history, again = shorter[:at+1], true
				break
			}
		}
	}
	return history
}

// runs is one run with the checks that every run must pass.
func (w *modelWorld) runs() string {
	_ = w.run()
	for _, r := range w.report.Results() {
		if r.Drift && !w.mayDrift(r.Key) {
			return fmt.Sprintf("G4 drift of %s, which nobody wrote: have %s", r.Key, r.Have)
		}
	}
	if limit := 2 * 2 * len(w.report.Stages); w.writes > limit {
		return fmt.Sprintf("G7 %d ledger writes in %d stages", w.writes, len(w.report.Stages))
	}
	if w.writes == 0 && w.mutations > 0 && !w.faulty { // a record of a failed write is there already
		return fmt.Sprintf("G7 %d changes without a record", w.mutations)
	}
	return w.records()
}

func (w *modelWorld) mayDrift(k item.Key) bool {
	if k.Kind() != item.Sysctl {
		return w.edited
	}
	for _, p := range w.dependants(k.Name()) {
		if w.touched[p] {
			return true
		}
	}
	return false
}

func (w *modelWorld) records() string {
	for _, store := range []item.Store{item.Durable, item.Volatile} {
		book := w.ledger.Book(store)
		for _, k := range book.Keys() {
			if n := len(book.Entry(k).Ours); n > 5 {
				return fmt.Sprintf("G5 %d values of %s may be ours", n, k)
			}
		}
	}
	return ""
}

func (w *modelWorld) clone() *modelWorld {
	c := *w
	c.world = w.world.clone()
	c.touched, c.loose, c.never = maps.Clone(w.touched), maps.Clone(w.loose), maps.Clone(w.never)
	c.faulty = false
	c.both(func(h *fake.Host) {
		h.EndFaults()
		for _, k := range modelKeys {
			if !strings.Contains(k.name, "*") {
				h.Show(name(k.name).Path())
			}
		}
	})
	return &c
}

func (w *modelWorld) check() string {
	if problem := w.clone().converges(); problem != "" {
		return problem
	}
	return w.clone().givesBack()
}

// converges checks G1.
func (w *modelWorld) converges() string {
	for range 2 {
		if problem := w.runs(); problem != "" {
			return problem
		}
	}
	for _, s := range w.report.Results() {
		if !s.OK() && s.Reason != "Clamped" && s.Reason != "KeyNotFound" && s.Reason != "InterfaceAbsent" {
			return fmt.Sprintf("G1 %s is %s: have %s, want %s: %s %s", s.Key, s.Outcome, s.Now, s.Want, s.Reason, s.Message)
		}
	}
	for k, want := range w.wishes {
		if problem := w.holds(k, want); problem != "" {
			return problem
		}
	}
	if problem := w.runs(); problem != "" {
		return problem
	}
	if w.mutations > 0 {
		return fmt.Sprintf("G1 the third run changes %d things", w.mutations)
	}
	for _, k := range w.ledger.Volatile.Keys() {
		for _, l := range modelLinks {
			if _, there := w.host.Sysctl("net/ipv4/conf/" + l + "/rp_filter"); !there && strings.Contains(string(k), "."+l+".") {
				return fmt.Sprintf("G5 the record of %s outlives its interface", k)
			}
		}
	}
	return ""
}

func (w *modelWorld) holds(k item.Key, want item.Want) string {
	if k.Kind() != item.Sysctl || strings.Contains(string(k), "*") || w.never[name(k.Name()).Path()] {
		return ""
	}
	if _, there := w.host.Sysctl(name(k.Name()).Path()); !there {
		return ""
	}
	for _, r := range w.report.Results() {
		if r.Key == k && !want.Holds(r.Now) {
			return fmt.Sprintf("G1 %s is %s, wished %s", k, r.Now, want.State)
		}
	}
	return ""
}

// givesBack checks G2, G3 and G5, and that the next boot is as if we had never been.
func (w *modelWorld) givesBack() string {
	w.down()
	for range 2 {
		if problem := w.runs(); problem != "" {
			return problem
		}
	}
	if problem := w.runs(); problem != "" {
		return problem
	}
	if w.mutations > 0 {
		return fmt.Sprintf("G1 the third run of giving back changes %d things", w.mutations)
	}
	if n := w.ledger.Durable.Len() + w.ledger.Volatile.Len(); n > 0 {
		return fmt.Sprintf("G5 records are left: %v %v", w.ledger.Durable.Keys(), w.ledger.Volatile.Keys())
	}
	if _, ok := w.host.File(paths.SysctlDropIn); ok && !w.edited {
		return "G2 the boot file is left"
	}
	if problem := w.compare(); problem != "" || w.edited {
		return problem
	}
	w.reboot()
	if d := w.differences(); len(d) > 0 {
		return "G2 in the next boot: " + strings.Join(d, ", ")
	}
	return ""
}

func (w *modelWorld) compare() string {
	twin := w.twin.Sysctls()
	host := w.host.Sysctls()
	for _, path := range slices.Sorted(maps.Keys(host)) {
		v := host[path]
		switch {
		case v == twin[path] || path == "kernel/random/boot_id" || w.never[path] || w.edited || strings.HasPrefix(path, "net/bridge"):
		case !w.loose[path] && !w.shares(path):
			return fmt.Sprintf("G2 %s is %s, without us %s", path, v, twin[path])
		case !w.seen[path][v] && !w.seen["net/ipv4/conf/default/"+path[strings.LastIndex(path, "/")+1:]][v]:
			return fmt.Sprintf("G3 %s is %s, which nobody but us ever set; without us %s", path, v, twin[path])
		}
	}
	return ""
}

// shares reports whether a path is coupled to one of which little is promised.
func (w *modelWorld) shares(path string) bool {
	for master := range w.loose {
		if slices.Contains(w.dependants(strings.ReplaceAll(master, "/", ".")), path) {
			return true
		}
	}
	for master := range w.never {
		if slices.Contains(w.dependants(strings.ReplaceAll(master, "/", ".")), path) {
			return true
		}
	}
	return false
}
