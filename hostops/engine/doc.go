// Package engine turns a wish into a host: it observes, plans, records, writes, reads
// back and reports, stage by stage.
//
// A stage makes at most one ledger write before it touches the host and one after, and
// none if nothing changes. The boot file of a stage is written before its live values,
// in both directions. Giving back is not a second program: it is the same run with an
// empty wish, stages in reverse.
//
// The engine decides nothing about items, which is item.Plan's work, and touches no
// host, which is the operations' work.
package engine
