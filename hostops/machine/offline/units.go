package offline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	systemd "github.com/coreos/go-systemd/v22/unit"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// units are those that a boot of the image starts, by its files. No unit runs, so that
// stopping one is done, and starting one cannot be.
type units struct{ files machine.Files }

const devNull = "/dev/null"

// SystemdRuns reports whether systemd will: it is looked for where it is on all hosts.
func (u units) SystemdRuns() bool {
	for _, program := range []string{"/usr/lib/systemd/systemd", "/lib/systemd/systemd"} {
		if _, err := u.files.Lstat(program); err == nil {
			return true
		}
	}
	return false
}

func (u units) Unit(_ context.Context, name string) (machine.Unit, error) {
	none := machine.Unit{State: machine.UnitAbsent, Active: "inactive"}
	file, state, err := u.find(name)
	if err != nil || state != machine.UnitDisabled {
		none.State = state
		return none, err
	}
	links, err := u.links(name, file)
	if err != nil {
		return none, err
	}
	none.State = state
	if len(links) > 0 && !slices.ContainsFunc(links, func(link string) bool { return !u.linked(link) }) {
		none.State = machine.UnitEnabled
	}
	return none, nil
}

// find returns the file of a unit, of the first folder that has one.
func (u units) find(name string) (file string, state machine.UnitState, err error) {
	if !u.SystemdRuns() {
		return "", machine.UnitAbsent, machine.ErrNoSystemd
	}
	for _, dir := range paths.UnitDirs {
		file = path.Join(dir, name)
		info, err := u.files.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", machine.UnitAbsent, err
		}
		target, err := u.files.Readlink(file)
		if err == nil && target == devNull || info.Mode().IsRegular() && info.Size() == 0 {
			return file, machine.UnitMasked, nil
		}
		return file, machine.UnitDisabled, nil
	}
	return "", machine.UnitAbsent, nil
}

// links are those that the section [Install] of a unit asks for.
func (u units) links(name, file string) ([]string, error) {
	text, err := u.files.Read(file)
	if err != nil {
		return nil, fmt.Errorf("read the unit %s: %w", file, err)
	}
	options, err := systemd.DeserializeOptions(strings.NewReader(string(text)))
	if err != nil {
		return nil, fmt.Errorf("read the unit %s: %w", file, err)
	}
	var out []string
	for _, o := range options {
		folder := map[string]string{"WantedBy": ".wants", "RequiredBy": ".requires"}[o.Name]
		if o.Section != "Install" || folder == "" {
			continue
		}
		for by := range strings.FieldsSeq(o.Value) {
			out = append(out, path.Join(paths.SystemdDir, path.Base(by)+folder, name))
		}
	}
	return out, nil
}

func (u units) linked(link string) bool {
	_, err := u.files.Readlink(link)
	return err == nil
}

// EnableUnit makes the links that `systemctl --root enable` makes.
func (u units) EnableUnit(_ context.Context, name string) error {
	file, state, err := u.find(name)
	switch {
	case err != nil:
		return err
	case state == machine.UnitMasked:
		return fmt.Errorf("enable %s: %w", name, machine.ErrMasked)
	case state == machine.UnitAbsent:
		return fmt.Errorf("enable %s: %w", name, fs.ErrNotExist)
	}
	links, err := u.links(name, file)
	if err != nil {
		return err
	}
	for _, link := range links {
		if err := u.files.Mkdir(path.Dir(link), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("enable %s: %w", name, err)
		}
		if err := u.files.Link(link, file); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("enable %s: %w", name, err)
		}
	}
	return nil
}

// DisableUnit removes those links, with folders that are empty then, as systemd does.
func (u units) DisableUnit(_ context.Context, name string) error {
	file, state, err := u.find(name)
	if err != nil || state != machine.UnitDisabled {
		return err
	}
	links, err := u.links(name, file)
	if err != nil {
		return err
	}
	for _, link := range links {
		if err := u.files.Unlink(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("disable %s: %w", name, err)
		}
		err := u.files.Rmdir(path.Dir(link))
		if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, machine.ErrNotEmpty) {
			return fmt.Errorf("disable %s: %w", name, err)
		}
	}
	return nil
}

func (units) StartUnit(context.Context, string) error   { return machine.ErrNoSystemd }
func (units) RestartUnit(context.Context, string) error { return machine.ErrNoSystemd }
func (units) StopUnit(context.Context, string) error    { return nil }
func (units) ReloadUnits(context.Context) error         { return nil }
