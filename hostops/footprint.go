package hostops

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// Footprint returns every path that bringing a host up may write, apart from live
// kernel settings: what is under none of them is never touched. A folder stands for
// itself and all below it only if it is one of our own two; others are made if they are
// missing. Where interfaces are kept out of the zone trusted, the file of the host's
// default zone is written too. Directories that profiles name are not in it: see the
// method of the same name.
func Footprint() []string {
	out := []string{
		paths.StateDir,
		paths.RunDir,
		path.Dir(paths.SysctlDropIn),
		paths.SysctlDropIn,
		path.Dir(paths.ModulesLoad),
		paths.ModulesLoad,
		zonefile.Path(firewalld.Trusted), // firewalld writes it because of us
	}
	for _, p := range nodeip.Publishes() {
		f, _ := nodeip.FileOf(p)
		out = append(append(out, f.Parents...), f.Path)
	}
	return append(out, unitFootprint()...)
}

// unitFootprint are the files of the boots to come and the folders that they are in. The
// link is made by systemd, because of us.
func unitFootprint() []string {
	out := []string{paths.UnitLink, path.Dir(paths.UnitLink), "/usr/local", "/opt", path.Dir(paths.ProgramDirInOpt)}
	for _, f := range append(unitFilePaths(), paths.ProgramDir+"/"+paths.ProgramName, paths.ProgramDirInOpt+"/"+paths.ProgramName) {
		out = append(out, f, path.Dir(f))
	}
	return slices.DeleteFunc(out, func(p string) bool { return p == paths.SystemdDir })
}

// Footprint returns every path that bringing this host up with the profiles may write: that
// of any host, and the folders that are named, or made for what is to be in them. Nil
// profiles stand for the saved input. A link on the way to a folder leads elsewhere.
func (h *Host) Footprint(profiles []v1alpha1.HostProfile) ([]string, error) {
	in, err := h.input(profiles)
	if err != nil && !errors.Is(err, ErrNotManaged) {
		return nil, err
	}
	accepted, err := h.Accepted()
	if err != nil {
		return nil, err
	}
	led, err := h.openLedger()
	if err != nil {
		return nil, refuse(err)
	}
	out := Footprint()
	for _, k := range led.Durable.Keys() {
		if k.Kind() == item.Dir || k.Kind() == item.Program {
			out = append(out, k.Path())
		}
	}
	if in != nil && in.Unit.ProgramDir != "" {
		out = append(out, in.Unit.ProgramDir, path.Join(in.Unit.ProgramDir, paths.ProgramName))
	}
	c := profile.CompileLayers(layers(in, accepted), ownerIn(led))
	for _, w := range append(c.Desired.Wants, h.parents(c.Desired, led)...) {
		if w.Key.Kind() == item.Dir {
			out = append(out, w.Key.Path())
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// ProfileSysctlFiles returns the files of sysctl.d that bringing a host up may write,
// whatever the profiles: all of them share one, which sorts after the vendors'.
func (h *Host) ProfileSysctlFiles() []string { return []string{paths.SysctlDropIn} }

// isGone reports whether a folder of ours is gone, or stays because it holds something
// or because the host has mounted something on it.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, machine.ErrNotEmpty) || errors.Is(err, machine.ErrBusy)
}
