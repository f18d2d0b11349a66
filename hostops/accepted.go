package hostops

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// Accepted is a profile of the cluster that the agent has accepted for this host. It is
// kept on the host, so that a boot without an API server gives nothing of it back.
type Accepted struct {
	// UID tells a profile from a later one of the same name.
	UID string `json:"uid"`
	// Hold: the profile is paused. It keeps what it owns and takes no other part.
	Hold bool `json:"hold,omitempty"`
	// Profile is what is enforced: of a paused one, what was before the pause.
	Profile v1alpha1.HostProfile `json:"profile"`
}

// acceptedFile is the file at paths.Accepted.
type acceptedFile struct {
	Major    int        `json:"major"`
	Profiles []Accepted `json:"profiles"`
}

// Accepted returns the profiles that were last accepted from the cluster. A file that is
// there and says nothing is a *RefusedError: what it said is not to be given back.
func (h *Host) Accepted() ([]Accepted, error) {
	text, err := h.machine.Files.Read(paths.Accepted)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the accepted profiles: %w", err)
	}
	var f acceptedFile
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, acceptedUnreadable(fmt.Errorf("the accepted profiles %s are damaged: %w", paths.Accepted, err))
	}
	if f.Major != inputMajor {
		return nil, acceptedUnreadable(fmt.Errorf("the accepted profiles %s have format %d, this program reads %d", paths.Accepted, f.Major, inputMajor))
	}
	return f.Profiles, nil
}

// saveAccepted makes the profiles the accepted ones. The same are not written again.
func (h *Host) saveAccepted(profiles []Accepted) error {
	if len(profiles) == 0 {
		return h.remove(paths.Accepted)
	}
	text, err := json.MarshalIndent(acceptedFile{inputMajor, profiles}, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the accepted profiles: %w", err)
	}
	if err := h.machine.Files.Write(paths.Accepted, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("save the accepted profiles: %w", err)
	}
	return nil
}

// layers puts what the cluster wants over what bootstrap was given. A profile of the
// cluster replaces the one of the same name in the input.
func layers(in *Input, accepted []Accepted) []profile.Layer {
	var out []profile.Layer
	names := map[string]bool{}
	for _, a := range accepted {
		names[a.Profile.Name] = true
		out = append(out, profile.Layer{Profile: a.Profile, Hold: a.Hold})
	}
	if in == nil {
		return out
	}
	for _, p := range in.Profiles {
		if !names[p.Name] {
			out = append(out, profile.Layer{Profile: p, Base: true})
		}
	}
	return out
}

// ownerIn returns who owns what by a ledger.
func ownerIn(led *ledger.Ledger) profile.Owner {
	return func(k item.Key) string {
		if led == nil {
			return ""
		}
		if k == nodeip.SectionKey {
			k = nodeip.Key // what came of the section
		}
		if e, _ := led.Entry(k); e != nil {
			return e.Owner.Profile
		}
		return ""
	}
}

// ToldOnly returns the names of the profiles whose drift is told and not repaired.
func ToldOnly(accepted []Accepted, in *Input) map[string]bool {
	names := map[string]bool{}
	for _, l := range layers(in, accepted) {
		if !l.Profile.Spec.RepairsDrift() {
			names[l.Profile.Name] = true
		}
	}
	return names
}
