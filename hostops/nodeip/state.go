package nodeip

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// stateMajor is the format of the saved state that this version writes and reads.
const stateMajor = 1

// State is what is kept of a choice. It holds the address and no name of an interface:
// those change with kernels.
type State struct {
	Major   int    `json:"major"`
	Machine string `json:"machine,omitempty"` // machine-id of the host that it is about
	IP      string `json:"nodeIP"`
	Source  Source `json:"source"`
}

// ErrDamaged: what is kept was not written like this by any version.
var ErrDamaged = errors.New("damaged")

// ReadState returns what is kept, nil if nothing is. The error matches ErrDamaged if the file
// holds nothing that can be told, and else says why it cannot be read.
func ReadState(files machine.Files) (*State, error) {
	text, err := files.Read(paths.NodeIP)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the saved node IP: %w", err)
	}
	s := &State{}
	err = json.Unmarshal(text, s)
	if err == nil && s.Major > stateMajor {
		return nil, fmt.Errorf("the saved node IP %s has format %d, this program reads %d", paths.NodeIP, s.Major, stateMajor)
	}
	if err == nil && s.Major != stateMajor {
		err = fmt.Errorf("format %d", s.Major)
	}
	if err == nil {
		_, err = Parse(s.IP)
	}
	if err != nil {
		return nil, fmt.Errorf("the saved node IP %s is %w: %w", paths.NodeIP, ErrDamaged, err)
	}
	return s, nil
}

// Of reports whether the state is about a machine. One whose id is not known is.
func (s *State) Of(machine string) bool {
	return s.Machine == "" || machine == "" || s.Machine == machine
}

func (s State) encode() ([]byte, error) {
	s.Major = stateMajor
	text, err := json.MarshalIndent(s, "", "  ")
	return append(text, '\n'), err
}
