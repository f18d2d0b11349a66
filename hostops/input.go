package hostops

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// inputMajor is the format of the saved input that this version writes and reads.
const inputMajor = 1

// Input is what bootstrap was last given and accepted. It is what the next boot
// enforces, without any file of the user's.
type Input struct {
	Major    int                    `json:"major"`
	Profiles []v1alpha1.HostProfile `json:"profiles"`
	Unit     UnitChoice             `json:"unit,omitzero"`
}

// SavedInput returns the input that was last accepted; nil if there is none.
func (h *Host) SavedInput() (*Input, error) {
	text, err := h.machine.Files.Read(paths.Input)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the saved input: %w", err)
	}
	in := &Input{}
	if err := json.Unmarshal(text, in); err != nil {
		return nil, fmt.Errorf("the saved input %s is damaged: %w", paths.Input, err)
	}
	if in.Major != inputMajor {
		return nil, fmt.Errorf("the saved input %s has format %d, this program reads %d", paths.Input, in.Major, inputMajor)
	}
	return in, nil
}

// saveInput makes in the saved input. The same input is not written again.
func (h *Host) saveInput(in *Input) error {
	in.Major = inputMajor
	text, err := json.MarshalIndent(in, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the input: %w", err)
	}
	if err := h.machine.Files.Write(paths.Input, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("save the input: %w", err)
	}
	return nil
}
