package hostops

import (
	"slices"

	"github.com/hostprofile/hostprofile/hostops/engine"
)

const sysctlStageName = "sysctls"

// closeBeside makes a run close the sysctls that it keeps open once their stage is over,
// beside the stages after it: a thousand take as long as one of those.
func (h *Host) closeBeside(e *engine.Engine) {
	i := slices.IndexFunc(e.Stages, func(s engine.Stage) bool { return s.Name == sysctlStageName })
	e.Stages[i].Over = h.machine.Proc.CloseSysctls
}
