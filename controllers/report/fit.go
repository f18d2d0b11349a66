package report

import (
	"encoding/json"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// maxSize bounds a status as JSON, so that the whole object stays below 16 KiB: its
// metadata names every field once more, for server-side apply.
const maxSize = 10 << 10

// fit leaves out what is too much, the least important first, and counts it.
func fit(r *v1alpha1.HostReport) {
	for omit(r, v1alpha1.MaxExceptions); size(r) > maxSize; {
		switch {
		case len(r.Exceptions) > 8:
			omit(r, len(r.Exceptions)*3/4)
		case r.Planned != nil && len(r.Planned.Changes) > 8:
			keep := len(r.Planned.Changes) * 3 / 4
			r.Planned.Omitted += int32(len(r.Planned.Changes) - keep)
			r.Planned.Changes = r.Planned.Changes[:keep]
		case len(r.Profiles) > 8:
			r.Profiles = r.Profiles[:len(r.Profiles)*3/4]
		default:
			return
		}
	}
}

func omit(r *v1alpha1.HostReport, keep int) {
	if n := len(r.Exceptions); n > keep {
		r.ExceptionsOmitted += int32(n - keep)
		r.Exceptions = r.Exceptions[:keep]
	}
}

func size(r *v1alpha1.HostReport) int {
	text, err := json.Marshal(r)
	if err != nil {
		return 0
	}
	return len(text)
}
