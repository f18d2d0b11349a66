package kmod

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// NextBoot serves the modules of a host that does not run: none is looked for, since which
// kernel the next boot has is not known, and none is loaded. The boot file loads them.
type NextBoot struct{}

// Kind implements item.Operation.
func (NextBoot) Kind() item.Kind { return item.Module }

// Traits implements item.Operation.
func (NextBoot) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Listed: true, OneWay: true, NextBoot: true}
}

// Observe implements item.Operation.
func (NextBoot) Observe(context.Context, item.Key) (item.State, error) { return item.Unknown, nil }

// Apply implements item.Operation.
func (NextBoot) Apply(_ context.Context, k item.Key, _, _ item.State) error {
	return fmt.Errorf("module %s is loaded by the next boot", k.Name())
}
