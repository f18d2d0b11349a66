package hostops

import (
	"context"
	"errors"
	"path"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

const unitStageName = "unit"

// unitStage makes the next boots prepare the host.
func (h *Host) unitStage() engine.Stage {
	return engine.Stage{
		Name:       unitStageName,
		Operations: []item.Operation{unit.NewPrograms(h.machine), unitFiles{h.reloadingFiles()}, unit.NewOperation(h.machine, h.unitProblem, h.lookAtUnit)},
		Owns:       ownsUnit,
	}
}

func ownsUnit(k item.Key) bool {
	return k.Kind() == item.Unit || k.Kind() == item.Program || k.Kind() == item.File && slices.Contains(unitFilePaths(), k.Path())
}

// settleUnit adds the wishes for the boots to come. What it finds out is for one run, which
// forgets it at its end.
func (h *Host) settleUnit(ctx context.Context, want *item.Desired, in *Input, led *ledger.Ledger) {
	wants, problem := h.unitWants(ctx, &in.Unit, led)
	h.unitProblem = problem
	want.Wants = append(want.Wants, wants...)
	h.addFolders(want, led)
}

// unitWants returns the wishes of the stage. A problem keeps the unit from being enabled,
// and what is there of ours stays.
func (h *Host) unitWants(ctx context.Context, c *UnitChoice, led *ledger.Ledger) ([]item.Want, *item.Error) {
	if !h.machine.Units.SystemdRuns() {
		return held(led), nil
	}
	if !c.installs() {
		return nil, nil
	}
	masked, err := h.lookForMask(ctx, led)
	if masked {
		return nil, nil // a gate that nothing opens would keep kubelets from starting
	}
	problem := asProblem(err)
	var program unit.Program
	if problem == nil {
		program, problem = unit.Choose(h.machine, c.ProgramDir, func(path string) bool { return recorded(led, unit.ProgramKey(path)) })
	}
	var wants []item.Want
	if problem == nil {
		if wants, err = h.unitOf(program, c.gates()); err == nil {
			return wants, nil
		}
		problem = asProblem(err)
	}
	wants = slices.DeleteFunc(held(led), func(w item.Want) bool { return w.Key == unit.Key })
	return append(wants, item.Want{Key: unit.Key, State: unit.Enabled}), problem
}

// unitOf are the wishes for a unit that runs a program.
func (h *Host) unitOf(p unit.Program, gates bool) ([]item.Want, error) {
	text, err := unit.Service([]string{p.Path, "run"})
	if err != nil {
		return nil, err
	}
	wants := []item.Want{{Key: file.Key(paths.UnitFile), State: unitText(text)}, {Key: unit.Key, State: unit.Enabled}}
	if p.Copy {
		wants = append(wants, item.Want{Key: unit.ProgramKey(p.Path), State: unit.ProgramState(p.Digest)})
	}
	if !gates {
		return wants, nil
	}
	text, err = unit.Gate(p.Path)
	for _, kubelet := range paths.KubeletUnits {
		if !h.maskedPath(gatePath(kubelet)) {
			wants = append(wants, item.Want{Key: file.Key(gatePath(kubelet)), State: unitText(text)})
		}
	}
	return wants, err
}

func unitText(text string) item.State { return item.FileState(unitMode, []byte(text)) }

// unitMode is that of unit files and drop-ins.
const unitMode = 0o644

// lookForMask reports whether somebody masked the unit. An empty file masks it too, but
// one of ours is what a power cut left.
func (h *Host) lookForMask(ctx context.Context, led *ledger.Ledger) (bool, error) {
	u, err := h.machine.Units.Unit(ctx, paths.Unit)
	if err != nil {
		return false, err
	}
	h.unitSeen, h.unitFresh = &u, true
	cut := h.emptyFile(paths.UnitFile) && recorded(led, file.Key(paths.UnitFile))
	h.unitMasked = u.State == machine.UnitMasked && !cut
	return h.unitMasked, nil
}

// lookAtUnit asks systemd about a unit. What was said of ours before the stages of a run
// is not asked again by the first of them.
func (h *Host) lookAtUnit(ctx context.Context, name string) (machine.Unit, error) {
	if name == paths.Unit && h.unitFresh {
		h.unitFresh = false
		return *h.unitSeen, nil
	}
	u, err := h.machine.Units.Unit(ctx, name)
	if err == nil && name == paths.Unit {
		h.unitSeen = &u
	}
	return u, err
}

// forgetUnit ends what was found out for a run.
func (h *Host) forgetUnit() { h.unitProblem, h.unitSeen, h.unitFresh = nil, nil, false }

// UnitMasked reports whether the last Plan or Up has found the unit masked, and left it so.
func (h *Host) UnitMasked() bool { return h.unitMasked }

// held keeps what is recorded as it is.
func held(led *ledger.Ledger) []item.Want {
	var out []item.Want
	if led == nil {
		return nil
	}
	for _, k := range led.Durable.Keys() {
		if ownsUnit(k) {
			out = append(out, item.Want{Key: k, State: led.Durable.Entry(k).Target, Hold: true})
		}
	}
	return out
}

// installed are the wishes for what is recorded, as it was installed: the program that asks
// may be another one. What somebody masked is his.
func (h *Host) installed(led *ledger.Ledger) []item.Want {
	out := held(led)
	for i := range out {
		out[i].Hold = false
	}
	return slices.DeleteFunc(out, func(w item.Want) bool { return w.Key.Kind() == item.File && h.maskedPath(w.Key.Path()) })
}

// addFolders wishes for the folders of what is wished or recorded of the stage, as far as
// they have to be made or are ours. The agent wishes for those too, and for nothing else
// of the stage, which it leaves alone.
func (h *Host) addFolders(want *item.Desired, led *ledger.Ledger) {
	wished := map[item.Key]bool{}
	var files []string
	for _, w := range want.Wants {
		wished[w.Key] = true
		if ownsUnit(w.Key) && w.Key.Kind() != item.Unit {
			files = append(files, w.Key.Path())
		}
	}
	for _, w := range held(led) {
		if w.Key.Kind() != item.Unit {
			files = append(files, w.Key.Path())
		}
	}
	for _, f := range files {
		for at := path.Dir(f); at != "/"; at = path.Dir(at) {
			k := dir.Key(at)
			if !wished[k] && (recorded(led, k) || !h.there(at)) {
				wished[k] = true
				want.Wants = append(want.Wants, dir.Parent(at))
			}
		}
	}
}

// asProblem is an error as the failure of the unit.
func asProblem(err error) *item.Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*item.Error](err); ok {
		return e
	}
	return &item.Error{Message: err.Error(), Err: err}
}
