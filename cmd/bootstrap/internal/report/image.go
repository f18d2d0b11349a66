package report

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// comes reports whether an entry is left to the next boot: nobody has seen it, and the files
// of an image set it.
func (e *Entry) comes() bool { return e.ofNextBoot() && (e.Class == Change || e.Class == Right) }

// ofNextBoot reports whether an entry is of a host that does not run. What cannot be seen of
// one that does has a reason.
func (e *Entry) ofNextBoot() bool {
	return e.Have == item.Unknown && e.Reason == "" && (e.Key.Kind() == item.Module || e.Key.Kind() == item.Sysctl)
}

// coming is such an entry in words.
func (e *Entry) coming() string {
	if e.Key.Kind() == item.Module {
		return "load at boot"
	}
	return text(e.Want) + " at boot"
}

// undo is the command that gives back what is told.
func (v *View) undo() string { return "sudo " + v.down() }

// down is the same for somebody who need not be root.
func (v *View) down() string {
	if v.Root == "" {
		return "bootstrap down"
	}
	return "bootstrap down --root " + v.Root
}

// reached is what a run makes of its wishes, in words.
func (v *View) reached() string {
	if v.FirstBoot != nil {
		return "prepared"
	}
	return "in force"
}

// prepared is the line about what an image leaves to its clones, empty for other hosts.
func (v *View) prepared() string {
	if v.FirstBoot == nil {
		return ""
	}
	return firstBootWord(v.FirstBoot)
}

// firstBootWord says what an image leaves to the first boot of a clone.
func firstBootWord(f *hostops.FirstBoot) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{f.Modules, "module"}, {f.Sysctls, "sysctl"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, plural(c.n, c.word, c.word+"s")))
		}
	}
	if f.Swap {
		parts = append(parts, "swap off")
	}
	if f.NodeIP {
		parts = append(parts, "node IP will be chosen")
	}
	if len(parts) == 0 {
		return "Prepared; nothing is left to the first boot.\n"
	}
	return "Prepared; at first boot: " + strings.Join(parts, ", ") + ".\n"
}

// preparedLine is the first line of a status of a host that is to be an image.
func (v *View) preparedLine(held, all int) string {
	return layout.Paragraph(fmt.Sprintf("%s: Prepared to become an image, and not brought up itself: %d of %d hold here. "+
		"The first boot of each clone does the rest. Look at the files with: bootstrap status --image", v.Host, held, all), 2)
}

// later is the line of what does not hold on such a host, and need not.
func (v *View) later(t *layout.Table, e *Entry) {
	if v.Verbose && !v.Quiet {
		t.Row(layout.Text("later"), layout.Text(e.full()), layout.Text(e.wantHave()))
	}
}
