package hostops

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// PrereqOptions are what the preparation of a host depends on. All else stands in the
// profiles: who wants nothing of SELinux says selinux: Keep there.
type PrereqOptions struct {
	// Profiles are what is wished; nil stands for the saved input.
	Profiles []v1alpha1.HostProfile
}

// UnmetError says which items that a kubelet needs do not hold after a run. All others are
// in force.
type UnmetError struct{ Items []item.Result }

func (e *UnmetError) Error() string {
	first := &e.Items[0]
	text := string(first.Key)
	if first.Message != "" {
		text += ": " + first.Message
	}
	if more := len(e.Items) - 1; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	return text
}

// Prereqs is Up for those who start a kubelet themselves: directories, modules, sysctls,
// swap, SELinux and all else that the profiles wish, as one plan. A policy that does not
// know containers is refused on a host without a record, and told on one that has one. What somebody requires and what
// then does not hold is an *UnmetError: a kubelet that finds it otherwise gives up later,
// and does not say why.
func (h *Host) Prereqs(ctx context.Context, o PrereqOptions) (item.Report, error) {
	report, err := h.Up(ctx, o.Profiles, UpOptions{})
	if err != nil {
		return report, err
	}
	if unmet := Unmet(&report); len(unmet) > 0 {
		return report, &UnmetError{unmet}
	}
	return report, nil
}
