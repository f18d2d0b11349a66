package hostops

import "github.com/hostprofile/hostprofile/hostops/paths"

// fate is what becomes of a file of ours as the host is given back.
type fate uint8

const (
	// follows: it goes with what it belongs to, be that an item, the record or the unit.
	follows fate = iota
	// forgotten: it is removed with the record, in the order of ownFiles.
	forgotten
	// stays: it is left for a person, or tells everybody that the host was given back.
	stays
)

// ownFile is a file that only we write.
type ownFile struct {
	path string
	fate fate
}

// ownFiles are all files of ours with names that never change, but for locks. A killed run may
// have left a temporary file beside each; what does not stay is ours wherever it is found.
var ownFiles = []ownFile{
	{paths.SysctlDropIn, follows},
	{paths.ModulesLoad, follows},
	{paths.Ledger, follows}, // removed last: without it, all below would mean that it was lost
	{paths.LedgerAside, stays},
	{paths.Accepted, forgotten},
	{paths.AcceptedAside, stays},
	{paths.Input, forgotten},
	{paths.NodeIP, forgotten},
	{paths.Disabled, stays},
	{paths.RunLedger, follows},
	{paths.Gate, forgotten},
	{paths.ReloadUnits, follows},
	{paths.NoRestart, follows},
}
