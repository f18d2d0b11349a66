package hostops

import (
	"context"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/swap"
)

// checkSwap lists the swap areas in use, each with what takes it into use at boot.
func (p *prospect) checkSwap(ctx context.Context) []CheckResult {
	op := swap.New(p.machine, p.facts.BootID)
	areas, _, err := op.Expand(ctx, []item.Want{{Key: swap.All}})
	if err != nil {
		return []CheckResult{{ID: "swap", Outcome: CheckWarn, Message: err.Error()}}
	}
	if len(areas) == 0 {
		return []CheckResult{{ID: "swap", Outcome: CheckOK, Required: p.wishes(swap.All), Message: "no swap is in use"}}
	}
	sources, err := op.Sources(ctx)
	if err != nil {
		return []CheckResult{{ID: "swap", Outcome: CheckWarn, Message: err.Error()}}
	}
	var out []CheckResult
	for _, a := range areas {
		out = append(out, p.checkArea(a.Key.Path(), swap.Named(sources, a.Key.Path())))
	}
	return out
}

func (p *prospect) checkArea(device string, sources []swap.Source) CheckResult {
	r := CheckResult{ID: "swap", Message: device + " is in use; " + from(sources)}
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

// from says what takes an area into use at boot.
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
