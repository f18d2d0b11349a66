package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Row is one figure beside its peer's, both taken in one run and in turns.
type Row struct {
	ID   string `json:"id"`
	What string `json:"what"`
	// Unit of Ours, Peer and Limit.
	Unit string  `json:"unit"`
	Ours float64 `json:"ours"`
	// Peer and Limit are nil where there is none, or none was to be had: Missing says
	// which.
	Peer  *float64 `json:"peer"`
	Limit *float64 `json:"limit"`
	// Ratio is the median of ours to the peer's over all rounds, and BestRatio that of
	// the best rounds of both; without a peer 0.
	Ratio     float64 `json:"ratio"`
	BestRatio float64 `json:"bestRatio"`
	// Goal is what should hold, in words, and Met whether it did.
	Goal string `json:"goal"`
	Met  bool   `json:"met"`
	// PeerName and LimitName say what Peer and Limit are.
	PeerName  string `json:"peerName,omitempty"`
	LimitName string `json:"limitName,omitempty"`
	// Missing is a peer that could not be had, by name, and why.
	Missing string `json:"missing,omitempty"`
	Rounds  int    `json:"rounds"`
}

// File is all rows of a machine, sorted by ID, and the versions of the peers.
type File struct {
	Rows     []Row             `json:"rows"`
	Versions map[string]string `json:"versions"`
}

// Read reads a file of rows. One that is not there is empty.
func Read(path string) (File, error) {
	f := File{Versions: map[string]string{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	if err := json.Unmarshal(text, &f); err != nil {
		return f, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Put adds a row to a file, in place of an older one with its ID, and the versions of
// the peers that it was measured with.
func Put(path string, row Row, versions map[string]string) error {
	f, err := Read(path)
	if err != nil {
		return err
	}
	f.Rows = append(slices.DeleteFunc(f.Rows, func(r Row) bool { return r.ID == row.ID }), row)
	slices.SortFunc(f.Rows, func(a, b Row) int { return strings.Compare(a.ID, b.ID) })
	for name, version := range versions {
		f.Versions[name] = version
	}
	text, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}

// Lacking returns those of the IDs that the file has no row for.
func (f File) Lacking(ids ...string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		return slices.ContainsFunc(f.Rows, func(r Row) bool { return r.ID == id })
	})
}
