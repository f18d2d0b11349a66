package hostops

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/engine"
	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// stagesOfImage are the stages that write files. Swap, mounts, labels and the address of the
// node are for the first boot; what an earlier boot of the image published of that goes.
func (h *Host) stagesOfImage() []engine.Stage {
	m := h.machine
	files := file.New(m)
	return []engine.Stage{
		{Name: "directories", Operations: []item.Operation{dir.New(m)}},
		{Name: "modules", Operations: []item.Operation{kmod.NextBoot{}, files}, Owns: owns(kmod.BootFile{}), Boot: kmod.BootFile{}},
		{Name: sysctlStageName, Operations: []item.Operation{sysctl.NextBoot{}, files}, Owns: owns(sysctl.NewBootFile(m)), Boot: sysctl.NewBootFile(m)},
		h.nodeIPStage(),
		{Name: "firewalld", Operations: []item.Operation{firewalld.New(m)}},
	}
}

// ofImage returns the wishes that can be met in an image. Bounds are held against what a
// kernel has, and so are modules that it may lack; forwarding of IPv6 is switched on when the
// routes of the clone have been looked at, which it would lose; bindings of firewalld are made in its
// files.
func ofImage(wants []item.Want) []item.Want {
	return slices.DeleteFunc(slices.Clone(wants), func(w item.Want) bool {
		switch w.Key.Kind() {
		case item.Dir:
			return false
		case item.Module:
			return w.SkipMissing
		case item.Sysctl:
			return w.Compare != item.Exact || sysctl.NeedsRoutes(w)
		case item.Firewalld:
			r, ok := firewalld.Parse(w.Key)
			return ok && !r.File && !r.Binding.Permanent
		default:
			return true
		}
	})
}

// errUsedImage: the record in an image is that of a host.
var errUsedImage = errors.New("it was prepared as a host, and what is recorded belongs to that machine")

// refuseUsedImage refuses to make an image of what is one host's own.
func (h *Host) refuseUsedImage(led *ledger.Ledger) error {
	if !h.offline() || led == nil || led.Machine() == "" {
		return nil
	}
	fix := "bootstrap down, then bootstrap up --image"
	if h.options.Tree {
		fix = fmt.Sprintf("bootstrap down --root %s, then up again", h.options.Root)
	}
	return &RefusedError{Fix: fix, Err: errUsedImage}
}

// prepared reports whether the record of a host that runs is that of an image: the first run
// here would make it this machine's.
func (h *Host) prepared(led *ledger.Ledger) bool {
	return !h.offline() && led.Imaged
}

// tryRunLock takes the run lock of the host that runs, also where an image is made of it.
func (h *Host) tryRunLock() (func() error, error) {
	if !h.options.Image {
		return h.tryLock(paths.RunLock)
	}
	if err := h.running.Files.Mkdir(paths.RunDir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return h.running.Locks.TryLock(paths.RunLock, h.options.Holder)
}
