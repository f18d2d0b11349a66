package hostops

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/swap"
)

const swapID = "swap"

// checkSwap lists the swap areas in use, each with what takes it into use at boot, and what
// would take more into use.
func (p *prospect) checkSwap(ctx context.Context) []CheckResult {
	areas, err := p.swapAreas()
	if err != nil {
		return []CheckResult{{ID: swapID, Outcome: CheckWarn, Message: err.Error()}}
	}
	sources, err := swap.New(p.machine, p.facts.BootID).Sources(ctx)
	if err != nil {
		return []CheckResult{{ID: swapID, Outcome: CheckWarn, Message: err.Error()}}
	}
	var out []CheckResult
	for _, a := range areas {
		out = append(out, p.checkArea(&a, swap.Named(sources, a.Path)))
	}
	if len(areas) == 0 && !p.offline() {
		out = append(out, CheckResult{ID: swapID, Outcome: CheckOK, Required: p.wishes(swap.All), Message: "no swap is in use"})
	}
	return append(out, p.checkSources(areas, sources)...)
}

// swapAreas are those in use; a tree has none.
func (p *prospect) swapAreas() ([]swap.Area, error) {
	if p.offline() {
		return nil, nil
	}
	text, err := p.machine.Proc.ReadProc(paths.Swaps)
	if err != nil {
		return nil, fmt.Errorf("read the swap areas: %w", err)
	}
	return swap.Areas(string(text))
}

func (p *prospect) checkArea(a *swap.Area, sources []swap.Source) CheckResult {
	r := CheckResult{ID: swapID, Message: fmt.Sprintf("%s of %s is in use, %s of it taken; %s", a.Path, size(a.Size), size(a.Used), from(sources))}
	if len(sources) > 0 {
		r.File, r.Line = sources[0].File, sources[0].Line
	}
	switch {
	case p.wishes(swap.All):
		r.Outcome, r.Required, r.MendedByUp = CheckFail, true, true
		r.Fix = "'up' switches it off; " + forGood(sources)
	case p.keeps(swap.All):
		r.Outcome, r.Reason = CheckInfo, item.Reason(v1alpha1.ReasonSwapRetained)
		r.Message += "; a profile says to keep it"
	default:
		r.Outcome = CheckInfo
	}
	return r
}

// checkSources tells what takes areas into use that are out of use now: at the next boot,
// or when cloud-init runs. What is to wake up from, only, is told and takes nothing.
func (p *prospect) checkSources(areas []swap.Area, sources []swap.Source) []CheckResult {
	var out []CheckResult
	for _, s := range sources {
		if slices.ContainsFunc(areas, func(a swap.Area) bool { return a.Path == s.Device }) {
			continue
		}
		r := CheckResult{ID: swapID, Outcome: CheckInfo, File: s.File, Line: s.Line}
		if p.wishes(swap.All) && s.Kind != swap.Resume {
			r.Outcome = CheckWarn
			r.Fix = fmt.Sprintf("remove it from %s", s)
		}
		r.Message = fmt.Sprintf("%s, out of use now, is taken into use at boot, until 'up' runs: %s", device(&s), s)
		switch s.Kind {
		case swap.CloudInit:
			r.Message = fmt.Sprintf("cloud-init makes %s and names it in fstab: %s", device(&s), s)
		case swap.Resume:
			r.Message = fmt.Sprintf("%s is where the host would wake up from: %s", device(&s), s)
		}
		out = append(out, r)
	}
	return out
}

func device(s *swap.Source) string {
	if s.Device == "" {
		return "a swap file"
	}
	return s.Device
}

// size is a number of bytes for people.
func size(bytes uint64) string {
	const units = "KMGTP"
	value, unit := float64(bytes)/1024, 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	return strings.Replace(fmt.Sprintf("%.1f %ciB", value, units[unit]), ".0 ", " ", 1)
}

// from says what takes an area into use.
func from(sources []swap.Source) string {
	if len(sources) == 0 {
		return "source unknown"
	}
	var places []string
	for _, s := range sources {
		places = append(places, s.String())
	}
	return "from " + strings.Join(places, ", ")
}

func forGood(sources []swap.Source) string {
	if len(sources) == 0 {
		return "look for what takes it into use, or it is back after a boot until 'up' runs again"
	}
	return fmt.Sprintf("remove it from %s, or it is back after a boot until 'up' runs again", sources[0])
}

// wishes reports whether a state of the item is wished.
func (p *prospect) wishes(k item.Key) bool {
	for _, w := range p.want.Wants {
		if w.Key == k {
			return !w.Unmanaged
		}
	}
	return false
}

// keeps reports whether a profile says that nobody may touch the item.
func (p *prospect) keeps(k item.Key) bool {
	for _, w := range p.want.Wants {
		if w.Key == k {
			return w.Unmanaged
		}
	}
	return false
}
