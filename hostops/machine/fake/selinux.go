package fake

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

// SELinux is what a host has of SELinux.
type SELinux struct {
	Mode machine.SELinuxMode // empty is off
	// Contexts is the text of the policy's file_contexts.
	Contexts string
	// Types are those that the policy has.
	Types []string
	// Chosen are types that an admin may give any file.
	Chosen []string
	// NoTool: semanage is not installed.
	NoTool bool
}

// selinux is the state of it: labels that were written, and what the admin named.
type selinux struct {
	SELinux
	labels map[string]string
	local  map[string]string // types by expression
}

func (s *selinux) clone() selinux {
	return selinux{SELinux: s.SELinux, labels: cloneMap(s.labels), local: cloneMap(s.local)}
}

func (s *selinux) on() bool { return s.Mode != "" && s.Mode != machine.SELinuxOff }

// SetSELinux switches SELinux on, with all files labelled.
func (h *Host) SetSELinux(s SELinux) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.selinux.SELinux = s
}

// SetLabel is somebody's chcon; FileLabel is what ls -Z shows.
func (h *Host) SetLabel(path, label string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	put(&h.selinux.labels, path, label)
}

// FileLabel returns the label of a file or folder.
func (h *Host) FileLabel(path string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	have, _ := h.selinux.labelOf(path, false)
	return have
}

// NameType is the admin's semanage fcontext; an empty type takes it back.
func (h *Host) NameType(regex, typ string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	put(&h.selinux.local, regex, typ)
}

func (s *selinux) named(path string, folder bool) (string, error) {
	var local strings.Builder
	for _, regex := range slices.Sorted(maps.Keys(s.local)) {
		fmt.Fprintf(&local, "%s system_u:object_r:%s:s0\n", regex, s.local[regex])
	}
	return filecontext.Parse(filecontext.Files{Main: s.Contexts, Local: local.String()}).Lookup(path, kindOf(folder))
}

func kindOf(folder bool) filecontext.Kind {
	if folder {
		return filecontext.Directory
	}
	return filecontext.Regular
}

// labelOf: a file that nobody labelled since has the label of its policy.
func (s *selinux) labelOf(path string, folder bool) (string, error) {
	if label, ok := s.labels[path]; ok {
		return label, nil
	}
	label, err := filecontext.Parse(filecontext.Files{Main: s.Contexts}).Lookup(path, kindOf(folder))
	if label == "" {
		label = "system_u:object_r:file_t:s0"
	}
	return label, err
}

// wanted keeps all of a label but the type.
func (s *selinux) wanted(path string, folder bool, have string) (string, error) {
	label, err := s.named(path, folder)
	named, ok := filecontext.ParseContext(label)
	is, known := filecontext.ParseContext(have)
	switch {
	case err != nil || !ok || known && slices.Contains(s.Chosen, is.Type):
		return have, err
	case !known:
		return label, nil
	}
	is.Type = named.Type
	return is.String(), nil
}

// made labels what a process writes, or makes, at a path.
func (s *selinux) made(path string, folder bool) {
	if !s.on() {
		return
	}
	have, _ := s.labelOf(path, folder)
	if want, err := s.wanted(path, folder, have); err == nil {
		put(&s.labels, path, want)
	}
}

func (s *selinux) print(b *strings.Builder) {
	for _, regex := range slices.Sorted(maps.Keys(s.local)) {
		fmt.Fprintf(b, "context %s %s\n", regex, s.local[regex])
	}
}

// SELinuxMode implements machine.SELinux.
func (p *Process) SELinuxMode() (machine.SELinuxMode, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err == nil && !p.host.selinux.on() {
		return machine.SELinuxOff, nil
	}
	return p.host.selinux.Mode, err
}

// HasType implements machine.SELinux.
func (p *Process) HasType(name string) (bool, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	return err == nil && p.host.selinux.on() && slices.Contains(p.host.selinux.Types, name), err
}

// TypeFor implements machine.SELinux.
func (p *Process) TypeFor(path string, folder bool) (string, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	if err != nil || !p.host.selinux.on() {
		return "", err
	}
	label, err := p.host.selinux.named(path, folder)
	c, _ := filecontext.ParseContext(label)
	return c.Type, err
}

// Label implements machine.SELinux.
func (p *Process) Label(path string) (have, want string, err error) {
	n, err := p.look("read the label of", path, (*node).walk)
	if err != nil {
		return "", "", err
	}
	if !n.mode.IsDir() && !n.mode.IsRegular() {
		return "", "", wrong("read the label of", path, machine.ErrNotRegular)
	}
	p.host.mu.Lock()
	defer p.host.mu.Unlock()
	if !p.host.selinux.on() {
		return "", "", nil
	}
	if have, err = p.host.selinux.labelOf(path, n.mode.IsDir()); err != nil {
		return "", "", err
	}
	want, err = p.host.selinux.wanted(path, n.mode.IsDir(), have)
	return have, want, err
}

// Relabel implements machine.SELinux.
func (p *Process) Relabel(path string) error {
	have, want, err := p.Label(path)
	if err != nil || have == want {
		return err
	}
	return p.kernel(context.Background(), "label", path, func(h *Host, path string) error {
		put(&h.selinux.labels, path, want)
		return nil
	})
}

// FileContext implements machine.SELinux.
func (p *Process) FileContext(regex string) (string, error) {
	err := p.enter()
	defer p.host.mu.Unlock()
	return p.host.selinux.local[regex], err
}

// SetFileContext implements machine.SELinux.
func (p *Process) SetFileContext(ctx context.Context, regex, typ string) error {
	was, err := p.FileContext(regex)
	if err != nil || was == typ {
		return err
	}
	return p.kernel(ctx, "register", regex, func(h *Host, regex string) error {
		switch {
		case !strings.HasPrefix(regex, "/"):
			return fs.ErrInvalid
		case h.selinux.NoTool:
			return errors.ErrUnsupported
		case typ != "" && !slices.Contains(h.selinux.Types, typ):
			return machine.ErrInvalid
		}
		put(&h.selinux.local, regex, typ)
		return nil
	})
}
