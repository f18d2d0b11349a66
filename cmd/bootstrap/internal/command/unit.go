package command

import (
	"fmt"
	"path"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// unitFlags are what a command line says about the boots to come. A flag that is not there
// leaves it as it was said before.
type unitFlags struct {
	none, noGate bool
	dir          string
	set          *pflag.FlagSet
}

func (s *session) unitFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&s.unit.none, "no-unit", !hostops.UnitByDefault, "leave the boots to come alone: install no unit, and remove ours")
	f.BoolVar(&s.unit.noGate, "no-gate", false, "let kubelets start before the host is ready")
	f.StringVar(&s.unit.dir, "bin-dir", "", "the `FOLDER` for the copy of bootstrap that the unit runs (default /usr/local/bin)")
	s.unit.set = f
}

// checkUnitFlags refuses a command line before the host is looked at.
func (s *session) checkUnitFlags() error {
	if s.unit.dir != "" && !path.IsAbs(s.unit.dir) {
		return exit.BadUsage(fmt.Sprintf("--bin-dir: %q is no absolute path", s.unit.dir), "name the folder from / on")
	}
	return nil
}

// unitOptions are those of the host.
func (s *session) unitOptions() (o hostops.UnitOptions) {
	if s.unit.set == nil {
		return o
	}
	if s.unit.set.Changed("no-unit") {
		install := !s.unit.none
		o.Install = &install
	}
	if s.unit.set.Changed("no-gate") {
		gate := !s.unit.noGate
		o.Gate = &gate
	}
	if s.unit.set.Changed("bin-dir") {
		o.ProgramDir = &s.unit.dir
	}
	return o
}

// maskedUnit tells those who bring a host up that its unit is left masked. Whether systemd
// can be asked, the run itself says.
func maskedUnit(h *hostops.Host) []document.Message {
	if !h.UnitMasked() {
		return nil
	}
	return report.BootWarnings(&hostops.Boot{Systemd: true, State: machine.UnitMasked})
}
