package sysctl

import (
	"errors"
	"io/fs"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// The lockup detectors: one switch, and a key for each of the two. What each key reads
// as is whether its detector runs, and reading one that does not run makes the kernel
// forget that it was wanted. So the switch alone starts nothing once somebody has read
// the others, and the others start nothing once somebody has read the switch.
const (
	watchdog     Name = "kernel.watchdog"
	softWatchdog Name = "kernel.soft_watchdog"
	nmiWatchdog  Name = "kernel.nmi_watchdog"
)

// beside returns the other of the two detectors.
func beside(n Name) Name {
	if n == softWatchdog {
		return nmiWatchdog
	}
	return softWatchdog
}

// writeWatchdog makes the keys do what they are documented to do: 1 starts both
// detectors, or the one that is named, whatever was read before.
func (o *Operation) writeWatchdog(n Name, text string) error {
	if err := o.write(n, text); err != nil || text == "0" {
		return err
	}
	if n == watchdog {
		_ = o.write(nmiWatchdog, text) // not every machine has what this one needs
		return o.writeIfThere(softWatchdog, text)
	}
	return o.switchOn(n, text)
}

// switchOn starts one detector. The other one is read before the switch is touched, so
// that the kernel does not start it too.
func (o *Operation) switchOn(n Name, text string) error {
	if got, err := o.m.Proc.ReadSysctl(n.Path()); err != nil || got == text {
		return err
	}
	if _, err := o.m.Proc.ReadSysctl(beside(n).Path()); ignoreMissing(err) != nil {
		return err
	}
	if err := o.writeIfThere(watchdog, text); err != nil {
		return err
	}
	return o.write(n, text)
}

func (o *Operation) writeIfThere(n Name, text string) error {
	err := o.write(n, text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// switchWatchdogs: the switch is a write to both detectors.
func (o *Operation) switchWatchdogs(from, to string) ([]item.Effect, error) {
	var effects []item.Effect
	for _, n := range []Name{nmiWatchdog, softWatchdog} {
		more, err := o.present(n, from, to)
		if err != nil {
			return nil, err
		}
		effects = append(effects, more...)
	}
	return effects, nil
}

// showWatchdogs returns the rule of one detector: the switch reads as 1 while one runs.
func showWatchdogs(n Name) rule {
	return func(o *Operation, _, to string) ([]item.Effect, error) {
		was, err := o.m.Proc.ReadSysctl(watchdog.Path())
		if err != nil {
			return nil, ignoreMissing(err)
		}
		is := to
		if is == "0" {
			if is, err = o.m.Proc.ReadSysctl(beside(n).Path()); err != nil {
				return nil, ignoreMissing(err)
			}
		}
		if is == was {
			return nil, nil
		}
		e := follow(was, is)
		e.Key, e.Forced = Key(watchdog), true
		return []item.Effect{e}, nil
	}
}
