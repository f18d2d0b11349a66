package hostops

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/profile"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// KubeletRefusal is a setting with which the kubelet of this host does not start again: it is
// told to protect the kernel's defaults, and accepts one value.
type KubeletRefusal struct {
	Key item.Key
	// Have is the value that stays, and Want the one that the kubelet accepts.
	Have, Want string
	// Profile is whose wish that is; empty if no profile names the setting.
	Profile      string
	Message, Fix string
}

// KubeletRefusals are the settings that keep the kubelet of this host from starting again, as
// a run left them. Whatever does not hold yet is judged by what is wished: that it does not
// hold is told by itself. A host whose kubelet is not told to protect the kernel's defaults has
// none.
func (h *Host) KubeletRefusals(ctx context.Context, r *item.Report) []KubeletRefusal {
	where := h.protection()
	if where == nil {
		return nil
	}
	var out []KubeletRefusal
	for _, row := range profile.KubeletSysctls() {
		key := sysctl.Key(sysctl.Name(row.Name))
		value, from := h.stays(ctx, r, key)
		if value == row.Value || value == "" {
			continue
		}
		f := KubeletRefusal{Key: key, Have: value, Want: row.Value, Profile: from, Fix: "add the profile " + kubeletDefaults}
		whose := nobodyNames
		if from != "" {
			whose, f.Fix = "profile "+from, "remove it from that profile, or leave protectKernelDefaults off"
		}
		f.Message = fmt.Sprintf("it stays %s (%s), and the kubelet, which protects the kernel's defaults (%s), accepts %s only: it will not start again",
			value, whose, where, row.Value)
		out = append(out, f)
	}
	return out
}

// stays returns the value that a setting has once all wishes hold, empty if it is not known,
// and whose wish that is.
func (h *Host) stays(ctx context.Context, r *item.Report, k item.Key) (value, from string) {
	for _, s := range r.Stages {
		for i := range s.Results {
			res := &s.Results[i]
			switch {
			case res.Key != k || !res.Want.Known():
			case !res.OK():
				return res.Want.Text(), res.Source.Profile
			default:
				return res.Now.Text(), res.Source.Profile
			}
		}
	}
	s, err := sysctl.New(h.machine, h.facts.BootID).Observe(ctx, k)
	if err != nil {
		return "", ""
	}
	return s.Text(), ""
}
