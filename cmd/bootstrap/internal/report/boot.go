package report

import (
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// BootWarnings are what a person should know about the boots to come.
func BootWarnings(b *hostops.Boot) []document.Message {
	p := b.Problem()
	if p == nil {
		return nil
	}
	return []document.Message{{Reason: string(p.Reason), Key: string(unit.Key), Message: p.Message, Fix: p.Fix}}
}

// bootWord is the line of a status about the unit; empty if nothing is to be told.
func bootWord(b *hostops.Boot) string {
	switch {
	case b.State != "enabled":
		return ""
	case b.Running:
		return "hostprofile.service prepares this host at boot, and runs now"
	default:
		return "hostprofile.service prepares this host at boot, and does not run now"
	}
}
