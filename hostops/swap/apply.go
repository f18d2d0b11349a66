package swap

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The reasons that this package gives.
const (
	NotEnoughMemory item.Reason = "NotEnoughMemory"
	SourceUnknown   item.Reason = "SourceUnknown"
)

// off takes an area out of use, unless its pages would not fit into memory.
func (o *Operation) off(ctx context.Context, path string) error {
	a, err := o.find(path)
	if err != nil || a == nil {
		return err
	}
	if err := o.guardMemory(a); err != nil {
		return err
	}
	err = o.m.Kernel.SwapOff(ctx, path)
	if err == nil || errors.Is(err, machine.ErrInvalid) { // somebody was faster
		return nil
	}
	return a.explain(err)
}

// explain says why an area is still in use.
func (a *area) explain(err error) error {
	e := &item.Error{File: a.path, Err: err}
	switch {
	case errors.Is(err, machine.ErrNoMemory):
		e.Reason = NotEnoughMemory
		e.Message = fmt.Sprintf("the kernel has no memory for what is on %s: %d MiB, %d MiB of it used", a.path, a.size>>10, a.used>>10)
		e.Fix = "stop what uses the memory, then run it again"
	case a.deleted:
		e.Message = fmt.Sprintf("%s was deleted while in use: only a reboot takes it out of use", a.path)
		e.Fix = "reboot"
	default:
		return fmt.Errorf("take %s (%d MiB, %d MiB used) out of use: %w", a.path, a.size>>10, a.used>>10, err)
	}
	return e
}

// guardMemory: the kernel moves the used pages into memory and kills processes if they
// do not fit. A tenth more than that must be available.
func (o *Operation) guardMemory(a *area) error {
	available, err := o.available()
	if err != nil {
		return err
	}
	want := a.used + a.used/10
	if a.used == 0 || available > want {
		return nil
	}
	return &item.Error{
		Reason: NotEnoughMemory,
		Message: fmt.Sprintf("%s holds %d MiB: that needs %d MiB of available memory, and there are %d MiB",
			a.path, a.used>>10, want>>10, available>>10),
		Fix: "stop what uses the memory, then run it again",
	}
}

// available returns MemAvailable in KiB.
func (o *Operation) available() (uint64, error) {
	content, err := o.m.Proc.ReadProc(paths.Meminfo)
	if err != nil {
		return 0, fmt.Errorf("read %s: %w", paths.Meminfo, err)
	}
	for line := range strings.Lines(string(content)) {
		f := strings.Fields(line)
		if len(f) == 3 && f[0] == "MemAvailable:" && f[2] == "kB" {
			return strconv.ParseUint(f[1], 10, 64)
		}
	}
	return 0, fmt.Errorf("%s has no MemAvailable", paths.Meminfo)
}

// on takes an area into use again, if the host itself would do so at its next boot.
// One that nothing names stays out of use.
func (o *Operation) on(ctx context.Context, path string, to item.State) error {
	sources, err := o.Sources(ctx)
	if err != nil {
		return err
	}
	if !named(sources, path) {
		return &item.Error{
			Reason:  SourceUnknown,
			Message: fmt.Sprintf("left: neither fstab nor a unit names %s any more", path),
			Fix:     "swapon " + path,
			Err:     item.ErrLeave,
		}
	}
	priority, err := parsePriority(to)
	if err != nil {
		return err
	}
	if err := o.m.Kernel.SwapOn(path, priority); err != nil {
		return fmt.Errorf("swapon %s: %w", path, err)
	}
	return nil
}

func parsePriority(s item.State) (int, error) {
	first, _, _ := strings.Cut(s.Text(), " ")
	value, ok := strings.CutPrefix(first, "prio=")
	if ok && value == "auto" {
		return -1, nil
	}
	priority, err := strconv.Atoi(value)
	if err != nil || !ok {
		return 0, fmt.Errorf("%q is no state of a swap area", s)
	}
	return priority, nil
}
