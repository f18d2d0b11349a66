package hostops

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
	"github.com/hostprofile/hostprofile/hostops/tuned"
)

// checkTuned tells what TuneD sets against the wishes, and who wins. TuneD sets its
// settings whenever it starts or changes its profile, and then, unless it is told not to,
// the files of sysctl.d again, ours among them. What is not in our file it undoes.
func (p *prospect) checkTuned(context.Context) []CheckResult {
	const id = "tuned"
	active, ok := tuned.Read(p.machine)
	if !ok {
		return nil
	}
	var against []CheckResult
	for _, s := range active.Settings {
		w := p.wishAgainst(&s)
		if w == nil {
			continue
		}
		r := CheckResult{ID: id, Outcome: CheckInfo, File: s.File, Line: s.Line}
		r.Message = fmt.Sprintf("%s:%d sets %s = %s, want %s", s.File, s.Line, s.Name, s.Value, wish(w))
		if active.Reapplies && !w.Volatile {
			r.Message += "; our file is read after it and wins"
		} else {
			r.Outcome = CheckWarn
			r.Message += "; it wins whenever TuneD starts"
			r.Fix = "let a profile of your own in /etc/tuned include this one, and set " + s.Name + " there to what is wanted"
		}
		against = append(against, r)
	}
	sum := CheckResult{ID: id, Outcome: CheckOK, Message: fmt.Sprintf("profile %s is active", strings.Join(active.Profiles, " "))}
	if !p.runs("tuned.service") {
		sum.Message = fmt.Sprintf("profile %s is chosen, and TuneD does not run", strings.Join(active.Profiles, " "))
	}
	if len(against) > 0 {
		sum.Outcome = CheckInfo
		sum.Message += fmt.Sprintf(" and sets %d of our settings", len(against))
	}
	if active.Reapplies {
		sum.Message += "; it reads sysctl.d again when it starts (reapply_sysctl)"
	}
	return append([]CheckResult{sum}, against...)
}

// wishAgainst returns the wish that a setting of TuneD is against, nil if it is against
// none.
func (p *prospect) wishAgainst(s *tuned.Setting) *item.Want {
	name, err := sysctl.ParseName(s.Name)
	if err != nil {
		return nil
	}
	k := sysctl.Key(name)
	for i := range p.want.Wants {
		w := &p.want.Wants[i]
		if w.Key == k && !w.Unmanaged && (s.Computed || !w.Holds(sysctl.Value(name, bounded(s, w.State.Text())))) {
			return w
		}
	}
	return nil
}

// bounded is what TuneD makes of a value that is there.
func bounded(s *tuned.Setting, there string) string {
	is, err1 := strconv.ParseInt(there, 10, 64)
	bound, err2 := strconv.ParseInt(s.Value, 10, 64)
	keeps := s.Bound == ">" && is >= bound || s.Bound == "<" && is <= bound
	if err1 == nil && err2 == nil && keeps {
		return there
	}
	return s.Value
}
