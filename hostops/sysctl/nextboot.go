package sysctl

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// NextBoot serves the sysctls of a host that does not run: none is looked at or written, and
// no pattern names a key yet. The boot file sets them.
type NextBoot struct{}

// Kind implements item.Operation.
func (NextBoot) Kind() item.Kind { return item.Sysctl }

// Traits implements item.Operation.
func (NextBoot) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Listed: true, NextBoot: true}
}

// Observe implements item.Operation.
func (NextBoot) Observe(context.Context, item.Key) (item.State, error) { return item.Unknown, nil }

// Apply implements item.Operation.
func (NextBoot) Apply(_ context.Context, k item.Key, _, _ item.State) error {
	return fmt.Errorf("%s is set by the next boot", k)
}

// Expand implements item.Expander.
func (NextBoot) Expand(_ context.Context, wants []item.Want) (single, patterns []item.Want, err error) {
	single, patterns = apart(wants)
	return single, patterns, nil
}
