package hostops

import (
	"slices"

	"github.com/hostprofile/hostprofile/hostops/engine"
)

const sysctlStageName = "sysctls"

// closeBeside makes a run close the sysctls that it keeps open once their stage is over,
// beside the stages after it: a thousand take as long as one of those.
func (h *Host) closeBeside(e *engine.Engine) {
	afterStage(e, sysctlStageName, h.machine.Proc.CloseSysctls)
}

// afterStage makes a run call do once a stage is over.
func afterStage(e *engine.Engine, name string, do func()) {
	i := slices.IndexFunc(e.Stages, func(s engine.Stage) bool { return s.Name == name })
	e.Stages[i].Over = do
}
