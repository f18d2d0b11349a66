package report

import (
	"cmp"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// planned tells what profiles that are plans, or paused, would change; nil if there are
// none.
func planned(s *Situation) *v1alpha1.Planned {
	if s.Preview == nil || s.Removed || s.Refused != nil {
		return nil
	}
	waiting := map[string]bool{}
	for _, p := range s.Profiles {
		if s.Paused || p.State == wish.Planned || p.State == wish.Paused {
			waiting[p.Name] = true
		}
	}
	p := &v1alpha1.Planned{}
	results := s.Preview.Results()
	for i := range results {
		if c, ok := plannedChange(&results[i], waiting, s.Paused); ok {
			p.Changes = append(p.Changes, c)
		}
	}
	slices.SortFunc(p.Changes, func(a, b v1alpha1.PlannedChange) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Key, b.Key)) // Connectivity < Tuning
	})
	p.Total, p.Hash = int32(len(p.Changes)), digest(p.Changes)
	if n := len(p.Changes); n > v1alpha1.MaxPlannedChanges {
		p.Changes, p.Omitted = p.Changes[:v1alpha1.MaxPlannedChanges], int32(n-v1alpha1.MaxPlannedChanges)
	}
	return p
}

// plannedChange is a result of the preview that would change the host because of one of
// the waiting profiles. What a preview gives back has no profile any more.
func plannedChange(r *item.Result, waiting map[string]bool, all bool) (v1alpha1.PlannedChange, bool) {
	to := r.Want
	switch {
	case scaffold(r):
		return v1alpha1.PlannedChange{}, false
	case r.Outcome == item.Restored:
		to = r.Before
	case r.Outcome != item.Changed || !all && !waiting[r.Source.Profile]:
		return v1alpha1.PlannedChange{}, false
	}
	return v1alpha1.PlannedChange{
		Key:     cut(string(r.Key), v1alpha1.MaxKeyLength),
		Have:    cut(shown(r.Have), v1alpha1.MaxShownValueLength),
		Want:    cut(shown(to), v1alpha1.MaxShownValueLength),
		Profile: r.Source.Profile,
		Class:   class(r.Key, to),
	}, true
}

// class says whether a change can cut the network of the node or its pods.
func class(k item.Key, to item.State) v1alpha1.ChangeClass {
	if sysctl.CanCut(k, to) {
		return v1alpha1.ChangeConnectivity
	}
	return v1alpha1.ChangeTuning
}
