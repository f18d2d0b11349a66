package resident

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// mostRunes bounds a message: it is one line of systemctl's and of the console.
const mostRunes = 400

// judge says whether all that is required holds, and names the first that does not.
func (r *Resident) judge(rec *hostops.Reconciled) finding {
	unmet := append(r.host.BelowFloor(), hostops.Unmet(&rec.Report)...)
	if len(unmet) == 0 {
		return finding{holds: true, message: "all that is required holds"}
	}
	first := &unmet[0]
	text := "kubelet is waiting for "
	if r.gate.Open {
		text = "kubelet was started, and now this does not hold: "
	}
	text += subject(first.Key) + ": " + r.complaint(first)
	if n := len(unmet) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return finding{message: line(text)}
}

// floor is what no profile asks for and every kubelet needs.
const floor item.Kind = "floor"

// subject names an item as people do.
func subject(k item.Key) string {
	switch k.Kind() {
	case item.Sysctl, item.Swap:
		return k.Name()
	case item.Module:
		return "module " + k.Name()
	case item.Dir:
		return "directory " + k.Path()
	case item.File:
		return "file " + k.Path()
	case item.NodeIP:
		return "the address of the node"
	case floor:
		return "a host that will do"
	default:
		return string(k)
	}
}

// complaint says how an item is, how it should be, and whose doing it is.
func (r *Resident) complaint(res *item.Result) string {
	var parts []string
	if res.Key.Kind() == item.Sysctl {
		is := res.Now
		if !is.Known() {
			is = res.Have
		}
		if is.Known() {
			parts = append(parts, "is "+is.String())
		}
		parts = append(parts, "want "+wanted(res))
		if by, ok := r.host.SetBy(res); ok {
			parts = append(parts, fmt.Sprintf("set by %s:%d", by.File, by.Line))
		}
	}
	if res.Key.Kind() == item.Swap && res.Message == "" {
		parts = append(parts, "in use")
	}
	if res.Message != "" {
		parts = append(parts, res.Message)
	}
	if len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("is %s, want %s", res.Now, res.Want))
	}
	return strings.Join(parts, ", ")
}

func wanted(res *item.Result) string {
	switch res.Compare {
	case item.AtLeast:
		return "at least " + res.Want.String()
	case item.AtMost:
		return "at most " + res.Want.String()
	default:
		return res.Want.String()
	}
}

// line makes one line of a text: what follows a line's end would be taken for another
// assignment by systemd.
func line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > mostRunes {
		return string(runes[:mostRunes-1]) + "…"
	}
	return text
}
