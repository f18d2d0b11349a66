package hostops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// Override is a line of somebody else's sysctl.d file that is against a wish.
type Override struct {
	sysctl.Shadow
	Want item.Want
}

// Overrides lists the lines of others that are against the profiles, each line once: as
// the reader sees it with which it wins, if it does with one. Nil profiles stand for the
// saved input. It writes nothing.
func (h *Host) Overrides(profiles []v1alpha1.HostProfile) ([]Override, error) {
	in, err := h.input(profiles)
	if err != nil {
		return nil, err
	}
	want, err := h.compile(in, nil)
	if err != nil {
		return nil, err
	}
	return h.overrides(want)
}

func (h *Host) overrides(want item.Desired) ([]Override, error) {
	wants := slices.DeleteFunc(slices.Clone(want.Wants), func(w item.Want) bool { return w.Key.Kind() != item.Sysctl })
	files, err := sysctl.LoadFiles(h.machine)
	if err != nil {
		return nil, fmt.Errorf("read the files of sysctl.d: %w", err)
	}
	var out []Override
	for _, s := range sysctl.Shadows(files, wants) {
		if n := len(out); n > 0 && sameLine(s, out[n-1].Shadow) {
			if s.BeatsOurs && !out[n-1].BeatsOurs {
				out[n-1].Shadow = s
			}
			continue
		}
		i := slices.IndexFunc(wants, func(w item.Want) bool { return w.Key == s.Key })
		out = append(out, Override{Shadow: s, Want: wants[i]})
	}
	return out, nil
}

// SetBy returns the line of somebody else's file that sets what a run found in place of
// what was wished; false if there is none, or it cannot be told.
func (h *Host) SetBy(r *item.Result) (Override, bool) {
	profiles := []v1alpha1.HostProfile{}
	if in, err := h.SavedInput(); err == nil && in != nil {
		profiles = in.Profiles
	}
	all, err := h.Overrides(profiles)
	if err != nil {
		return Override{}, false
	}
	i := slices.IndexFunc(all, func(o Override) bool { return o.Key == r.Key && o.Value == r.Have })
	if i < 0 {
		return Override{}, false
	}
	return all[i], true
}

// Message says in a sentence what the line does.
func (o *Override) Message() string {
	name := o.Key.Name()
	if !o.Value.Present() {
		return fmt.Sprintf("%s:%d keeps patterns such as ours from %s", o.File, o.Line, name)
	}
	end := "our file is read later and wins at boot"
	if o.BeatsOurs {
		end = "it wins over our file at boot"
	}
	if o.Reader != "" && o.BeatsOurs {
		end += fmt.Sprintf(" where '%s' reads it", o.Reader)
	}
	return fmt.Sprintf("%s:%d sets %s = %s, want %s; %s", o.File, o.Line, name, o.Value, wish(&o.Want), end)
}

// Fix says how to get rid of the line. A vendor's file comes back with its next update,
// and a file of its name in /etc hides it.
func (o *Override) Fix() string {
	if strings.HasPrefix(o.File, "/etc/") || strings.HasPrefix(o.File, "/run/") {
		return "delete the line"
	}
	return "copy the file to /etc/sysctl.d, which hides it, and delete the line there"
}

func wish(w *item.Want) string {
	switch w.Compare {
	case item.AtLeast:
		return "at least " + w.State.String()
	case item.AtMost:
		return "at most " + w.State.String()
	default:
		return w.State.String()
	}
}

func sameLine(a, b sysctl.Shadow) bool {
	return a.Key == b.Key && a.File == b.File && a.Line == b.Line
}
