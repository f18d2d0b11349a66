package report

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/contention"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
)

func fightsByKey(fights []contention.Fight) map[item.Key]*contention.Fight {
	out := map[item.Key]*contention.Fight{}
	for i := range fights {
		out[fights[i].Key] = &fights[i]
	}
	return out
}

// scaffold reports whether a result is about a file that we write for the next boot, or
// its folder, and not about a setting that somebody wished.
func scaffold(r *item.Result) bool {
	return r.Key.Kind() == item.File || r.Key.Kind() == item.Dir && r.Source.Profile == "" || firewalld.IsZoneFile(r.Key)
}

func (c *collection) addStage(s *item.StageReport, dry bool, fights map[item.Key]*contention.Fight) {
	section := stageSections[s.Stage]
	if s.Err != nil {
		c.addStageError(s, section)
	}
	for i := range s.Results {
		r := s.Results[i]
		if s.Err != nil && unwritten(&r) {
			r.Outcome, r.Reason, r.Message = item.Failed, item.Reason(effectReason(s.Err)), "not written: "+s.Err.Error()
		}
		c.live[r.Key] = live(&r)
		if r.Want.Known() && !scaffold(&r) {
			c.managed[section] = true
			c.count(&r, dry, fights[r.Key])
		}
		c.addResult(&r, section, fights[r.Key])
	}
}

// unwritten reports whether a result tells what a stage that stopped would have done.
func unwritten(r *item.Result) bool {
	return r.Outcome == item.Changed || r.Outcome == item.Adopted || r.Outcome == item.Restored
}

func (c *collection) addStageError(s *item.StageReport, section string) {
	c.managed[section] = true
	f := finding{section: section, fails: true, required: true}
	f.Key, f.Severity, f.Reason, f.Message = stageKey+s.Stage, v1alpha1.SeverityError, effectReason(s.Err), s.Err.Error()
	c.add(f)
}

// count puts one wish into exactly one of the counts.
func (c *collection) count(r *item.Result, dry bool, fight *contention.Fight) {
	n := &c.counts
	n.Total++
	switch {
	case r.Outcome == item.Kept || dry && r.Outcome == item.Changed:
		n.Held++
		if r.Now == r.Want {
			c.right++
		}
	case r.Outcome == item.Skipped:
		n.Skipped++
	case waits(r):
		n.Pending++
	case fight != nil || !r.OK() && (severityOf(r) != v1alpha1.SeverityWarning || r.Key.Kind() == item.Firewalld):
		n.Failed++
	default:
		n.Applied++
		c.right++
	}
}

// live is what the host has, as far as it is known: a write that failed is not read back.
func live(r *item.Result) item.State {
	if r.Now.Known() {
		return r.Now
	}
	return r.Have
}

// waits reports whether an item cannot be seen, and that is fine for now.
func waits(r *item.Result) bool {
	return r.Outcome == item.Unseen && (r.Reason == "" && r.Message != "" || severityOf(r) == v1alpha1.SeverityFine)
}

// severityOf is that of the reason alone; what has no known reason is an error.
func severityOf(r *item.Result) v1alpha1.Severity {
	if info, known := v1alpha1.LookUpReason(v1alpha1.Reason(r.Reason)); known {
		return info.Severity
	}
	return v1alpha1.SeverityError
}

// addResult tells a result that is not as it should be.
func (c *collection) addResult(r *item.Result, section string, fight *contention.Fight) {
	f := finding{section: section}
	f.Key, f.Profile, f.Message = string(r.Key), r.Source.Profile, withFix(r.Message, r.Fix)
	f.Want, f.Have, f.Reason = wanted(r), shown(live(r)), v1alpha1.Reason(r.Reason)
	if r.File != "" {
		f.Source = &v1alpha1.Source{File: r.File, Line: int32(r.Line)}
	}
	switch {
	case fight != nil && r.Want.Known():
		f.fail(r)
		f.Reason, f.Message = v1alpha1.ReasonContended, fight.Message()
	case r.Outcome == item.Kept && r.Now != r.Want:
		f.Severity, f.Reason = v1alpha1.SeverityState, v1alpha1.ReasonHeld
		f.Message = "its profile is held: it is left as it is"
	case r.OK() && r.Reason == "", waits(r), r.Outcome == item.Kept, r.Outcome == item.Skipped:
		return
	case severityOf(r) == v1alpha1.SeverityWarning:
		f.Severity, f.fails = v1alpha1.SeverityWarning, section == v1alpha1.ConditionFirewalldReady && !r.OK()
	case r.OK():
		return
	default:
		f.fail(r)
	}
	if f.Reason == "" {
		f.Reason = v1alpha1.ReasonReadBackMismatch
	}
	c.add(f)
}

// fail: an error if the host needs it, else a warning.
func (f *finding) fail(r *item.Result) {
	f.fails, f.required, f.Severity = true, r.Required, v1alpha1.SeverityWarning
	if r.Required {
		f.Severity = v1alpha1.SeverityError
	}
}
