package hostops

import (
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/swap"
)

// FirstBoot is what an image leaves to the first boot of each clone.
type FirstBoot struct {
	// Modules and Sysctls are how many are wished for; a pattern counts once.
	Modules int `json:"modules"`
	Sysctls int `json:"sysctls"`
	// Swap: it is ended. NodeIP: the address of the node is chosen.
	Swap   bool `json:"swap"`
	NodeIP bool `json:"nodeIP"`
}

// FirstBoot says what the first boot does with the profiles; nil for a host that is no
// image. Nil profiles stand for the saved input.
func (h *Host) FirstBoot(profiles []v1alpha1.HostProfile) (*FirstBoot, error) {
	if !h.offline() {
		return nil, nil
	}
	in, err := h.input(profiles)
	if err != nil {
		return nil, err
	}
	want, err := h.compile(in, nil)
	if err != nil {
		return nil, err
	}
	want.Wants = slices.DeleteFunc(want.Wants, func(w item.Want) bool { return w.Unmanaged })
	f := &FirstBoot{}
	for _, w := range want.Wants {
		switch {
		case w.Key.Kind() == item.Module:
			f.Modules++
		case w.Key.Kind() == item.Sysctl:
			f.Sysctls++
		case w.Key == swap.All:
			f.Swap = true
		case w.Key == nodeip.SectionKey:
			f.NodeIP = true
		}
	}
	return f, nil
}
