// Package report turns what a run did into what people read and programs parse: which
// results are failures, how they are counted, and how they are laid out.
//
// It is pure. It reads no host and writes nowhere: it returns text and documents.
package report
