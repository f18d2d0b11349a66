package hostops

import (
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// tellMounts says of directories that are left as found which of them are so because
// something was mounted on them since.
func (h *Host) tellMounts(report *item.Report) {
	for i := range report.Stages {
		results := report.Stages[i].Results
		for j := range results {
			r := &results[j]
			if r.Key.Kind() != item.Dir || r.Outcome != item.Left || r.Message != "" {
				continue
			}
			if m, err := h.machine.Mounts.MountAt(r.Key.Path()); err == nil && m.Own {
				r.Message = fmt.Sprintf("left: something (%s) is mounted on %s", m.Filesystem, r.Key.Path())
				r.Fix = fmt.Sprintf("once nobody needs it: umount %s && rmdir %s", r.Key.Path(), r.Key.Path())
			}
		}
	}
}
