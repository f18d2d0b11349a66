package sysctl

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Operation serves the sysctls of one host in one boot.
type Operation struct {
	m    *machine.Machine
	boot string
}

// New returns the operation for a host whose present boot has the given id.
func New(m *machine.Machine, bootID string) *Operation { return &Operation{m: m, boot: bootID} }

// Kind implements item.Operation.
func (o *Operation) Kind() item.Kind { return item.Sysctl }

// The order of writes. A master's write changes its dependants, so that it goes first,
// and accept_ra must be right before a router's route is at stake.
const (
	rankAcceptRA = iota
	rankMaster
	rankAll
	rankDefault
	rankRest
)

func rank(n Name) int {
	_, link, attribute, ok := n.split()
	switch {
	case isMaster(n):
		return rankMaster
	case ok && attribute == acceptRA:
		return rankAcceptRA
	case ok && link == allLinks:
		return rankAll
	case ok && link == defaultLink:
		return rankDefault
	default:
		return rankRest
	}
}

// Traits implements item.Operation.
func (o *Operation) Traits(k item.Key) item.Traits { return o.traits(k, o.epochOf) }

func (o *Operation) traits(k item.Key, epochOf func(link string) string) item.Traits {
	t := item.Traits{Store: item.Durable, Listed: true, Epoch: o.boot, Rank: rankRest}
	n, err := NameOf(k)
	if err != nil {
		return t
	}
	t.Rank = rank(n)
	if link, ok := n.Interface(); ok {
		t.Epoch = epochOf(link)
	}
	return t
}

// epochOf returns the incarnation of an interface's keys. It ends with the interface: the
// kernel never gives an index twice in a boot, and 0 to none.
func (o *Operation) epochOf(link string) string {
	index, err := o.m.Network.LinkIndex(link)
	if err != nil {
		index = 0
	}
	return o.boot + "/" + strconv.Itoa(index)
}

// Observe implements item.Operation. The key of an interface that is gone is Absent,
// with an error that says so; any other key that cannot be read is Unknown.
func (o *Operation) Observe(_ context.Context, k item.Key) (item.State, error) {
	n, err := NameOf(k)
	if err != nil {
		return item.Unknown, &item.Error{Reason: KeyNotFound, Message: err.Error(), Err: err}
	}
	s, err := o.read(n)
	return o.observed(n, s, err)
}

// observed returns what Observe returns for what was read.
func (o *Operation) observed(n Name, s item.State, err error) (item.State, error) {
	if err == nil {
		return s, nil
	}
	err = o.explain(n, err)
	if e := (*item.Error)(nil); errors.As(err, &e) && e.Reason == InterfaceAbsent {
		return item.Absent, err
	}
	return item.Unknown, err
}

func (o *Operation) read(n Name) (item.State, error) {
	p, ok := pairOf(n)
	if !ok {
		text, err := o.m.Proc.ReadSysctl(n.Path())
		return Value(n, text), err
	}
	text, err := o.m.Proc.ReadSysctl(p.amount.Path())
	if err != nil || text != "0" {
		return Value(p.amount, text), err
	}
	text, err = o.m.Proc.ReadSysctl(p.ratio.Path())
	return Value(p.ratio, text), err
}

// Apply implements item.Operation: a write of the canonical text. Forwarding of IPv6
// is not switched on while that would cost the host its default route.
func (o *Operation) Apply(_ context.Context, k item.Key, from, to item.State) error {
	n, err := NameOf(k)
	if err != nil {
		return err
	}
	if !to.Present() {
		return fmt.Errorf("sysctl %s cannot be made %s", n, to)
	}
	if err := o.guardRoutes(n, to); err != nil {
		return err
	}
	if p, ok := pairOf(n); ok {
		return o.writePair(p, from, to)
	}
	switch n {
	case watchdog, softWatchdog, nmiWatchdog:
		return o.writeWatchdog(n, to.Text())
	}
	return o.write(n, to.Text())
}

func (o *Operation) write(n Name, text string) error {
	return o.written(n, text, o.m.Proc.WriteSysctl(n.Path(), text))
}

// written says what an error of a write means.
func (o *Operation) written(n Name, text string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, machine.ErrInvalid):
		return explainRefused(n, text, err)
	default:
		return o.explain(n, err)
	}
}

// writePair puts one of a pair in force. An amount makes way for a ratio only if the
// ratio changes, and it reads as 0 while the amount is in force.
func (o *Operation) writePair(p pair, from, to item.State) error {
	was, _ := member(from)
	n, text := member(to)
	if n != p.ratio && n != p.amount {
		return fmt.Errorf("state %q does not belong to %s", to, p.ratio)
	}
	if p.sticky && was == p.amount && n == p.ratio && text == "0" {
		if err := o.write(n, "1"); err != nil {
			return err
		}
	}
	return o.write(n, text)
}
