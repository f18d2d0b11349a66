package hostops

import (
	"context"
	"errors"
	"path"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

// selinuxWants turns the one wish of the profiles about SELinux into those of this host,
// and drops it where SELinux is off. Keep, the wish to leave it alone, stays as it is.
func (h *Host) selinuxWants(want *item.Desired, in *Input, led *ledger.Ledger) {
	i := slices.IndexFunc(want.Wants, func(w item.Want) bool { return w.Key == selinux.Policy && !w.Unmanaged })
	if i < 0 {
		return
	}
	if h.facts.SELinux == machine.SELinuxOff {
		want.Wants = slices.Delete(want.Wants, i, i+1)
		return
	}
	w := &want.Wants[i]
	// A host that was prepared before has been running without the policy.
	w.Required = led == nil || !led.Durable.Exists()
	more := []item.Want{{Key: selinux.Labels, State: selinux.AsNamed}}
	for _, folder := range h.programFolders(in) {
		if h.needsContext(folder, led) {
			more = append(more, item.Want{Key: selinux.Context(folder), State: selinux.Program})
		}
	}
	for j := range more {
		more[j].Source, more[j].Hold = w.Source, w.Hold
	}
	want.Wants = append(want.Wants, more...)
}

// programFolders are the folders for a copy of our program that a policy may not know as
// such. That of /usr/local/bin every policy knows.
func (h *Host) programFolders(in *Input) []string {
	var out []string
	if _, err := h.machine.Files.Lstat(paths.ProgramDirInOpt); err == nil {
		out = append(out, paths.ProgramDirInOpt)
	}
	if in != nil && in.Unit.installs() && in.Unit.ProgramDir != "" {
		out = append(out, path.Clean(in.Unit.ProgramDir))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// needsContext reports whether a type has to be registered for a folder of programs, or is
// because of us: then the policy alone would name another.
func (h *Host) needsContext(folder string, led *ledger.Ledger) bool {
	if recorded(led, selinux.Context(folder)) {
		return true
	}
	needs, err := selinux.NeedsContext(h.machine, folder)
	return needs && err == nil // what cannot be told, the labels tell
}

// labelled are the files and folders whose labels count: what only we write, and no folder
// in which others write too.
func labelled() []string {
	out := []string{
		paths.SysctlDropIn, paths.ModulesLoad,
		paths.StateDir, paths.Ledger, paths.Input, paths.Accepted, paths.NodeIP, paths.Disabled,
		paths.RunDir, paths.RunLedger, paths.RunLock, paths.AgentLock,
	}
	out = append(out, unitFilePaths()...)
	for _, p := range nodeip.Publishes() {
		f, _ := nodeip.FileOf(p)
		out = append(out, f.Path)
	}
	return out
}

// refuseWithoutPolicy refuses to prepare a new host whose SELinux policy does not know
// containers: a kubelet would start there, and no pod.
func (h *Host) refuseWithoutPolicy(ctx context.Context, want item.Desired) error {
	i := slices.IndexFunc(want.Wants, func(w item.Want) bool { return w.Key == selinux.Policy && w.Required })
	if i < 0 {
		return nil
	}
	_, err := selinux.New(h.machine, h.facts.BootID, nil).Observe(ctx, selinux.Policy)
	if e, ok := errors.AsType[*item.Error](err); ok && e.Reason == selinux.PolicyMissing {
		return &RefusedError{Reason: e.Reason, Fix: e.Fix, Err: err}
	}
	return nil
}
