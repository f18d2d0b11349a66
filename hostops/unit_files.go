package hostops

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/file"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// reloadingFiles are files of which systemd has to be told when they change. That it has to
// is noted before the change: a new folder of drop-ins is nothing that systemd notices.
type reloadingFiles struct {
	*file.Operation
	h *Host
}

func (h *Host) reloadingFiles() reloadingFiles { return reloadingFiles{file.New(h.machine), h} }

// Apply implements item.Operation.
func (o reloadingFiles) Apply(ctx context.Context, k item.Key, from, to item.State) error {
	if strings.HasPrefix(k.Path(), paths.SystemdDir+"/") {
		if err := o.h.noteReload(); err != nil {
			return err
		}
	}
	return o.Operation.Apply(ctx, k, from, to)
}

// unitFiles are the files of a unit and its gates.
type unitFiles struct{ reloadingFiles }

// maskedFile is the state of a unit's file in whose place somebody put a link to /dev/null.
var maskedFile = item.Text("a link to " + devNull)

const devNull = "/dev/null"

// Traits implements item.Operation: a gate comes after the unit that opens it is enabled.
func (o unitFiles) Traits(k item.Key) item.Traits {
	t := o.reloadingFiles.Traits(k)
	if isGate(k) {
		t.Rank = gateRank
	}
	return t
}

// gateRank is above that of the unit, which is enabled after its file is written.
const gateRank = 2

func isGate(k item.Key) bool { return k.Kind() == item.File && path.Base(k.Path()) == paths.GateName }

// Observe implements item.Operation: a mask is somebody's wish, and no file in the way.
func (o unitFiles) Observe(ctx context.Context, k item.Key) (item.State, error) {
	if o.h.maskedPath(k.Path()) {
		return maskedFile, nil
	}
	return o.reloadingFiles.Observe(ctx, k)
}

// maskedPath reports whether a link to /dev/null is in the place of a file.
func (h *Host) maskedPath(path string) bool {
	target, err := h.machine.Files.Readlink(path)
	return err == nil && target == devNull
}

// there reports whether anything has the path; what cannot be seen has.
func (h *Host) there(path string) bool {
	_, err := h.machine.Files.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// told adds to a report what went wrong after the last stage.
func told(r *item.Report, err error) {
	if err == nil {
		return
	}
	for i := range r.Stages {
		if s := &r.Stages[i]; s.Stage == unitStageName && s.Err == nil {
			s.Err = err
			return
		}
	}
	r.Stages = append(r.Stages, item.StageReport{Stage: unitStageName, Err: err})
}

// emptyFile reports whether an empty file is in the place of a file.
func (h *Host) emptyFile(path string) bool {
	info, err := h.machine.Files.Lstat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}
