package hostops

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Footprint returns every path that bringing a host up may write, apart from live
// kernel settings: what is under none of them is never touched. A folder stands for
// itself and all below it only if it is one of our own two. Where interfaces are kept out
// of the zone trusted, the file of the host's default zone is written too.
func Footprint() []string {
	out := []string{
		paths.StateDir,
		paths.RunDir,
		paths.SysctlDropIn,
		paths.ModulesLoad,
		zonefile.Path(firewalld.Trusted), // firewalld writes it because of us
	}
	for _, p := range nodeip.Publishes() {
		f, _ := nodeip.FileOf(p)
		out = append(out, f.Path)
	}
	return out
}

// isGone reports whether a folder of ours is gone, or stays because it holds something
// or because the host has mounted something on it.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, machine.ErrNotEmpty) || errors.Is(err, syscall.EBUSY)
}
