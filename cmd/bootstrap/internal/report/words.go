package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

// shown is how much of a value stands in a line; a document has all of it.
const shown = 40

func text(s item.State) string {
	if s.Present() && s.Text() == "" {
		return `""`
	}
	return short(s.String())
}

func short(s string) string {
	runes := []rune(s)
	if len(runes) <= shown {
		return s
	}
	return string(runes[:shown-3]) + "..."
}

// wanted is a wish in words: "1", "at least 8192".
func wanted(r *item.Result) string {
	switch r.Compare {
	case item.AtLeast:
		return "at least " + text(r.Want)
	case item.AtMost:
		return "at most " + text(r.Want)
	default:
		return text(r.Want)
	}
}

// step is a change of a setting in words, whatever its kind.
func (e *Entry) step(from, to item.State) string {
	switch e.Key.Kind() {
	case item.Module:
		return "load now and at boot"
	case item.Swap:
		return swapWord(from) + " -> " + swapWord(to)
	case item.Mount:
		if from == item.Absent {
			return "mount"
		}
		return text(from) + " -> " + text(to)
	case item.SELinux:
		return selinuxWord(from, to)
	case item.Dir:
		if from == item.Absent {
			return "make, " + text(to)
		}
		return text(from) + " -> " + text(to)
	case item.File:
		return fileWord(from, to)
	case item.Program:
		return programWord(from, to)
	case item.Unit:
		return unitWord(to)
	case item.NodeIP:
		return addressWord(from, to)
	case item.Firewalld:
		if e.ownPath() != "" {
			return fileWord(from, to)
		}
		return boundWord(from, to)
	default:
		return text(from) + " -> " + text(to) + e.onLinks()
	}
}

func (e *Entry) onLinks() string {
	if e.Links < 2 {
		return ""
	}
	return fmt.Sprintf(" on %d links", e.Links)
}

func selinuxWord(from, to item.State) string {
	switch {
	case to == selinux.AsNamed:
		return "relabel"
	case to == item.Absent:
		return "forget " + text(from)
	case from == item.Absent:
		return "register " + text(to)
	default:
		return text(from) + " -> " + text(to)
	}
}

func addressWord(from, to item.State) string {
	switch {
	case from == item.Absent:
		return text(to)
	case to == item.Absent:
		return "forget " + text(from)
	default:
		return text(from) + " -> " + text(to)
	}
}

func swapWord(s item.State) string {
	if s.Present() {
		return "on"
	}
	return "off"
}

// unitWord says what becomes of the unit. No kubelet is ever restarted by us.
func unitWord(to item.State) string {
	if to == item.Absent {
		return "disable, stop"
	}
	return "kubelet is not restarted"
}

func programWord(from, to item.State) string {
	if to == item.Absent {
		return "delete"
	}
	if from == item.Absent {
		return "copy of this program"
	}
	return "this program instead"
}

func fileWord(from, to item.State) string {
	switch {
	case to == item.Absent:
		return "delete"
	case from == item.Absent:
		return "write"
	default:
		return "rewrite"
	}
}

// name is the key as the summaries of one kind show it.
func (e *Entry) name() string {
	if path := e.ownPath(); path != "" {
		return path
	}
	switch e.Key.Kind() {
	case item.File, item.Dir, item.Swap, item.Program:
		return e.Key.Path()
	case item.NodeIP:
		return "address"
	default:
		return e.Name
	}
}

// full is the key with its kind.
func (e *Entry) full() string {
	if path := e.ownPath(); path != "" {
		return "file " + path
	}
	switch e.Key.Kind() {
	case item.NodeIP:
		return "node IP"
	case item.Program:
		return "program " + e.Key.Path()
	}
	return string(e.Key.Kind()) + "/" + e.Name
}

// counted returns "3 changed" for every count that is not 0, joined by commas.
func counted(parts ...any) string {
	var out []string
	for i := 0; i+1 < len(parts); i += 2 {
		if n := parts[i].(int); n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, parts[i+1]))
		}
	}
	return strings.Join(out, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// took is a duration as the closing lines show it: "41ms", "0.7s", "1m12s".
func took(d time.Duration) string {
	switch {
	case d < 100*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	default:
		return d.Round(time.Second).String()
	}
}
