package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// The keys of what is about no single setting.
const (
	hostKey    = "host/run"
	profileKey = "profile/"
	stageKey   = "stage/"
)

func disabled(s *Situation) bool { return errors.Is(s.Refused, hostops.ErrDisabled) }

// addRefusal tells why there was no run.
func (c *collection) addRefusal(err error) {
	if err == nil {
		return
	}
	f := finding{fails: true, required: true}
	f.Key, f.Severity, f.Reason, f.Message = hostKey, v1alpha1.SeverityError, effectReason(err), err.Error()
	var refused *hostops.RefusedError
	if errors.As(err, &refused) {
		if refused.Reason != "" {
			f.Reason = v1alpha1.Reason(refused.Reason)
		}
		f.Message = withFix(f.Message, refused.Fix)
	}
	c.add(f)
}

// effectReason names what keeps a host from being written or read at all.
func effectReason(err error) v1alpha1.Reason {
	switch {
	case errors.Is(err, machine.ErrNoSpace):
		return v1alpha1.ReasonDiskFull
	case errors.Is(err, machine.ErrReadOnly), errors.Is(err, machine.ErrNotDurable):
		return v1alpha1.ReasonNotDurable
	default:
		return reasonOf(err, v1alpha1.ReasonPermissionDenied)
	}
}

// addProfiles tells the profiles that cannot be understood.
func (c *collection) addProfiles(profiles []wish.Profile) {
	for _, p := range profiles {
		if p.State != wish.NotUnderstood {
			continue
		}
		f := finding{fails: true, required: true}
		f.Key, f.Severity, f.Profile = profileKey+p.Name, v1alpha1.SeverityError, p.Name
		f.Reason, f.Message = v1alpha1.ReasonNotUnderstood, p.Problem
		if p.Generation > 0 {
			f.Message = fmt.Sprintf("generation %d stays in force: %s", p.Generation, p.Problem)
		}
		c.add(f)
	}
}

// addConflicts tells on what profiles of one priority disagree.
func (c *collection) addConflicts(conflicts []profile.Conflict) {
	for i := range conflicts {
		k := &conflicts[i]
		section := sectionOf(k.Key.Kind())
		c.managed[section] = true
		wants := make([]string, len(k.Profiles))
		for j, name := range k.Profiles {
			wants[j] = fmt.Sprintf("%s wants %s", name, k.Values[j])
		}
		f := finding{section: section, fails: true, required: true}
		f.Key, f.Severity, f.Reason, f.Profile = string(k.Key), v1alpha1.SeverityError, v1alpha1.ReasonConflict, k.Profiles[0]
		f.Have = shown(c.live[k.Key])
		f.Message = fmt.Sprintf("%s, at the same priority %d: what is applied stays; give one of them a higher priority",
			strings.Join(wants, " and "), k.Priority)
		c.add(f)
	}
}

// addOverrides tells lines of other files that win over ours at the next boot, or did.
func (c *collection) addOverrides(overrides []hostops.Override) {
	for i := range overrides {
		o := &overrides[i]
		if !o.BeatsOurs {
			continue
		}
		f := finding{section: sectionOf(o.Key.Kind())}
		f.Key, f.Profile, f.Want = string(o.Key), o.Want.Source.Profile, o.Want.State.String()
		f.Severity, f.Reason = v1alpha1.SeverityWarning, v1alpha1.ReasonOverriddenAtNextBoot
		f.Message = withFix(o.Message(), o.Fix())
		f.Source = &v1alpha1.Source{File: o.File, Line: int32(o.Line)}
		if old := c.byKey[f.Key]; old != nil && old.fails && old.Have == o.Value.String() {
			f.Severity, f.Reason, f.fails, f.required = old.Severity, v1alpha1.ReasonOverriddenByFile, true, old.required
			f.Have, f.Want = old.Have, old.Want
			f.bound()
			if old.Reason == v1alpha1.ReasonContended || old.Reason == v1alpha1.ReasonConflict {
				old.Source = f.Source
				continue
			}
			c.byKey[f.Key] = &f
			continue
		}
		c.add(f)
	}
}

func withFix(message, fix string) string {
	if fix == "" {
		return message
	}
	return message + "; " + fix
}
