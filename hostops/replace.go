package hostops

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

func acceptedUnreadable(err error) *RefusedError {
	return &RefusedError{
		Reason: item.Reason(v1alpha1.ReasonAcceptedUnreadable), Err: err,
		Fix: "mv " + paths.Accepted + " " + paths.AcceptedAside + "", // which gives back what no profile wishes
	}
}

// ReplaceAccepted makes the profiles the accepted ones although those before them cannot
// be read, and sets the damaged file aside, for a person. It does so only if nothing is
// given back by that: each profile that the ledger names is among the new ones or in
// bootstrap's input. Else the error is a *RefusedError that names the others, and nothing
// is written.
func (h *Host) ReplaceAccepted(ctx context.Context, profiles []Accepted) (err error) {
	lock, err := h.lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.done()) }()
	if h.Disabled() {
		return ErrDisabled
	}
	led, err := h.openLocked()
	if err != nil {
		return refuse(err)
	}
	in, err := h.SavedInput()
	if err != nil {
		return err
	}
	if missing := ownersBeside(led, layerNames(in, profiles)); len(missing) > 0 {
		return acceptedUnreadable(fmt.Errorf("%s is damaged, and the cluster does not have now, for this node, profiles that it has settings of: %s",
			paths.Accepted, strings.Join(missing, ", ")))
	}
	if err := h.setAcceptedAside(); err != nil {
		return err
	}
	return h.saveAccepted(profiles)
}

func (h *Host) setAcceptedAside() error {
	text, err := h.machine.Files.Read(paths.Accepted)
	if err == nil {
		err = h.machine.Files.Write(paths.AcceptedAside, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("set the unreadable accepted profiles aside: %w", err)
	}
	return nil
}

func layerNames(in *Input, accepted []Accepted) map[string]bool {
	names := map[string]bool{}
	for _, l := range layers(in, accepted) {
		names[l.Profile.Name] = true
	}
	return names
}

// ownersBeside returns the profiles that own something by the ledger and are not named,
// sorted. What has no owner is what other items need.
func ownersBeside(led *ledger.Ledger, names map[string]bool) []string {
	var beside []string
	for _, k := range led.Keys() {
		e, _ := led.Entry(k)
		if owner := e.Owner.Profile; owner != "" && !names[owner] && !slices.Contains(beside, owner) {
			beside = append(beside, owner)
		}
	}
	slices.Sort(beside)
	return beside
}
