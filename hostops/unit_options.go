package hostops

import "github.com/hostprofile/hostprofile/hostops/paths"

// UnitOptions say what Up shall do for the boots to come. What is nil is as an earlier Up
// was told, and as it is by default if none was.
type UnitOptions struct {
	// Install: hostprofile.service prepares the host at boot.
	Install *bool
	// Gate: kubelets start only when it has.
	Gate *bool
	// ProgramDir is the folder for the copy of the program that the unit runs; empty lets
	// Up choose.
	ProgramDir *string
}

// UnitChoice is what Up was told about the boots to come, in the saved input.
type UnitChoice struct {
	Install    *bool  `json:"install,omitempty"`
	Gate       *bool  `json:"gate,omitempty"`
	ProgramDir string `json:"programDir,omitempty"`
}

// UnitByDefault: Up installs the unit without having been told so.
const UnitByDefault = true

func (c *UnitChoice) installs() bool { return yes(c.Install, UnitByDefault) }
func (c *UnitChoice) gates() bool    { return yes(c.Gate, true) }

func yes(b *bool, unsaid bool) bool {
	if b == nil {
		return unsaid
	}
	return *b
}

// with returns the choice as changed by what is said now.
func (c UnitChoice) with(o UnitOptions) UnitChoice {
	if o.Install != nil {
		c.Install = o.Install
	}
	if o.Gate != nil {
		c.Gate = o.Gate
	}
	if o.ProgramDir != nil {
		c.ProgramDir = *o.ProgramDir
	}
	return c
}

// gatePath is the drop-in in front of a kubelet's unit.
func gatePath(unit string) string { return paths.SystemdDir + "/" + unit + ".d/" + paths.GateName }

// unitFilePaths are all files of the stage that may be written below systemd's folder.
func unitFilePaths() []string {
	out := []string{paths.UnitFile}
	for _, unit := range paths.KubeletUnits {
		out = append(out, gatePath(unit))
	}
	return out
}
