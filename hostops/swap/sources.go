package swap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Kind says what takes a swap area into use at boot.
type Kind string

// The kinds of sources.
const (
	Fstab     Kind = "fstab"
	Unit      Kind = "unit"
	Zram      Kind = "zram"
	CloudInit Kind = "cloud-init"
	Resume    Kind = "resume"
)

// Source is a place that names a swap area.
type Source struct {
	// Device is the area as /proc/swaps names it; empty if the place does not say.
	Device string
	File   string
	Line   int // 0 if the file as a whole is meant
	Kind   Kind
}

func (s Source) String() string {
	if s.Line == 0 {
		return s.File
	}
	return fmt.Sprintf("%s:%d", s.File, s.Line)
}

// Sources lists all places that would take an area into use, in the order fstab, units,
// generators. Places that cannot be read are left out.
func (o *Operation) Sources(context.Context) ([]Source, error) {
	content, err := o.m.Files.Read(paths.Fstab)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", paths.Fstab, err)
	}
	list := parseFstab(string(content))
	list = append(list, o.units()...)
	list = append(list, o.zram()...)
	list = append(list, o.cloudInit()...)
	list = append(list, o.resume()...)
	for i := range list {
		list[i].Device = o.resolve(list[i].Device)
	}
	return list, nil
}

// Named returns the sources that name an area.
func Named(sources []Source, device string) []Source {
	var out []Source
	for _, s := range sources {
		if s.Device == device {
			out = append(out, s)
		}
	}
	return out
}

// Origin says in words what takes an area into use.
func Origin(sources []Source, device string) string {
	var places []string
	for _, s := range Named(sources, device) {
		places = append(places, s.String())
	}
	if len(places) == 0 {
		return "source unknown"
	}
	return "from " + strings.Join(places, ", ")
}

// named reports whether the next boot takes the area into use by itself. What only
// resume= or cloud-init names is not taken into use by that.
func named(sources []Source, device string) bool {
	return slices.ContainsFunc(Named(sources, device), func(s Source) bool {
		return s.Kind == Fstab || s.Kind == Unit || s.Kind == Zram
	})
}

// by are the folders of links from a tag to a device, as udev makes them.
var by = map[string]string{
	"UUID": "by-uuid", "LABEL": "by-label", "PARTUUID": "by-partuuid", "PARTLABEL": "by-partlabel", "ID": "by-id",
}

// resolve returns the path that /proc/swaps shows for how a source spells a device.
func (o *Operation) resolve(device string) string {
	if tag, value, ok := strings.Cut(device, "="); ok && by[tag] != "" {
		device = path.Join("/dev/disk", by[tag], strings.Trim(value, `"`))
	}
	for range 8 { // a chain of links is short; more is a loop
		target, err := o.m.Files.Readlink(device)
		if err != nil {
			break
		}
		if !path.IsAbs(target) {
			target = path.Join(path.Dir(device), target)
		}
		device = target
	}
	return device
}

// read returns a file's content, empty if it cannot be read.
func (o *Operation) read(file string) string {
	content, err := o.m.Files.Read(file)
	if err != nil {
		return ""
	}
	return string(content)
}

// each reads the files of a directory that have an extension.
func (o *Operation) each(dir, ext string, do func(file, content string)) {
	names, err := o.m.Files.ReadDir(dir)
	if err != nil {
		return
	}
	for _, name := range names {
		if path.Ext(name) == ext {
			file := path.Join(dir, name)
			do(file, o.read(file))
		}
	}
}
