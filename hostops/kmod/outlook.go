package kmod

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// outlook says why loading a module will fail, as far as the host's files tell; nil if
// nothing speaks against it. It loads nothing.
func (o *Operation) outlook(name string) error {
	name = underscored(name)
	err := o.obstacle(name)
	if e, ok := errors.AsType[*item.Error](err); ok {
		e.Final = true
	}
	return err
}

func (o *Operation) obstacle(name string) error {
	if _, forbidden := o.forbiddenBy(name); forbidden {
		return o.explain(name, machine.ErrForbidden)
	}
	if o.deniedAtBoot(name) {
		return o.explain(name, fs.ErrPermission)
	}
	known, err := o.inDepends(name)
	if err == nil && !known {
		return o.explain(name, fs.ErrNotExist)
	}
	return nil
}

// inDepends looks for a module in the list of all that the running kernel can load. A
// host without that list does not say.
func (o *Operation) inDepends(name string) (bool, error) {
	release, err := o.release()
	if err != nil {
		return false, err
	}
	content, err := o.m.Files.Read(path.Join(paths.LibModules, release, "modules.dep"))
	if err != nil {
		return false, err
	}
	for line := range strings.Lines(string(content)) {
		file, _, _ := strings.Cut(line, ":")
		base, _, _ := strings.Cut(path.Base(file), ".ko")
		if underscored(base) == name {
			return true, nil
		}
	}
	return false, nil
}
