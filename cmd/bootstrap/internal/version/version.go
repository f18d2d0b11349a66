// Package version says what this program is: its version, and what it can read.
package version

import (
	"runtime"
	"runtime/debug"

	"github.com/hostprofile/hostprofile/hostops/ledger"
)

// version is set by the linker, with
// -X github.com/hostprofile/hostprofile/cmd/bootstrap/internal/version.version=v1.2.3.
var version string

// Linked returns what the linker was told, empty if it was told nothing.
func Linked() string { return version }

// Info is what the program says of itself.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Modified bool   `json:"modified,omitempty"` // built from a tree with changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Ledger   Ledger `json:"ledger"`
}

// Ledger is the format of the record that this program writes, and the range of major
// formats that it reads. Minor formats are additive: all of a major one can be read.
type Ledger struct {
	Major int   `json:"major"`
	Minor int   `json:"minor"`
	Reads Range `json:"reads"`
}

// Range is two numbers and all between them.
type Range struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Describe returns what is known of the running program. linked is what the linker was
// told; if that is empty, the version of the module takes its place.
func Describe(linked string) Info {
	info := Info{
		Version: linked, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Ledger: Ledger{Major: ledger.Major, Minor: ledger.Minor, Reads: Range{From: 1, To: ledger.Major}},
	}
	if b, ok := debug.ReadBuildInfo(); ok {
		info.fill(b)
	}
	if info.Version == "" {
		info.Version = "unknown"
	}
	return info
}

func (i *Info) fill(b *debug.BuildInfo) {
	for _, s := range b.Settings {
		switch s.Key {
		case "vcs.revision":
			i.Commit = s.Value
		case "vcs.modified":
			i.Modified = s.Value == "true"
		}
	}
	if i.Version == "" {
		i.Version = b.Main.Version
	}
}
