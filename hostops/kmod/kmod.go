package kmod

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Loaded is the state of a module that is loaded or part of the kernel.
var Loaded = item.Text("loaded")

// Operation serves the modules of one host in one boot.
type Operation struct {
	m    *machine.Machine
	boot string
}

// New returns the operation for a host whose present boot has the given id.
func New(m *machine.Machine, bootID string) *Operation { return &Operation{m: m, boot: bootID} }

// Key returns the item of a module. The kernel takes a dash in a name for an
// underscore.
func Key(name string) item.Key { return item.NewKey(item.Module, underscored(name)) }

func underscored(name string) string { return strings.ReplaceAll(name, "-", "_") }

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Module }

// Traits implements item.Operation: a loaded module ends with the boot, and its line in
// the boot file loads it again, so that its record outlives the boot.
func (o *Operation) Traits(item.Key) item.Traits {
	return item.Traits{Store: item.Durable, Listed: true, Epoch: o.boot, OneWay: true}
}

// Observe implements item.Operation: Loaded or Absent. A module that this host will not
// load is Unknown, with the reason: it must not be listed either, or the boot would fail.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	there, err := o.present(k.Name())
	switch {
	case err != nil:
		return item.Unknown, err
	case there:
		return Loaded, nil
	}
	if err := o.outlook(k.Name()); err != nil {
		return item.Unknown, err
	}
	return item.Absent, nil
}

// Apply implements item.Operation: it loads the module and waits for the keys that
// come with it, so that the sysctls after it find them.
func (o *Operation) Apply(ctx context.Context, k item.Key, _, to item.State) error {
	name := k.Name()
	if to != Loaded {
		return fmt.Errorf("module %s is not unloaded: it goes with the next boot", name)
	}
	if err := o.m.Kernel.LoadModule(ctx, name); err != nil {
		return o.explain(name, err)
	}
	return o.await(ctx, name)
}

// How long, and how often, a key that a module brings is looked for.
const (
	patience = 5 * time.Second
	interval = 50 * time.Millisecond
)

// await waits until the key that a module is known to bring is there. A key that does
// not come is not the module's failure: its own item will say so.
func (o *Operation) await(ctx context.Context, name string) error {
	key := brings[name].sysctl
	if key == "" {
		return nil
	}
	for end := o.m.Clock.Now().Add(patience); o.m.Clock.Now().Before(end); {
		if _, err := o.m.Proc.ReadSysctl(key); err == nil {
			return nil
		}
		if err := o.m.Clock.Sleep(ctx, interval); err != nil {
			return fmt.Errorf("wait for /proc/sys/%s: %w", key, err)
		}
	}
	return nil
}
