package hostops

import (
	"slices"

	"github.com/hostprofile/hostprofile/hostops/engine"
)

const sysctlStageName = "sysctls"

// closeBeside makes a run close the sysctls that it keeps open once it has looked at them for
// the last time, beside their record: a thousand take as long as that.
func (h *Host) closeBeside(e *engine.Engine) {
	stageOf(e, sysctlStageName).Seen = h.machine.Proc.CloseSysctls
}

// stageOf returns the stage with a name, which the engine has.
func stageOf(e *engine.Engine, name string) *engine.Stage {
	return &e.Stages[slices.IndexFunc(e.Stages, func(s engine.Stage) bool { return s.Name == name })]
}
