package fake

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// self is the program that runs: where it was started from, and its content.
type self struct{ path, content string }

// SetSelf says where the program that runs is. Its file is made.
func (h *Host) SetSelf(path, content string) {
	h.put(path, newFile("", content, machine.ProgramMode, h.Now()))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.self = self{path, content}
}

// Self implements machine.Programs.
func (p *Process) Self() (string, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err != nil {
		return "", err
	}
	if n, err := h.files.root.resolve(h.self.path); h.self.path == "" || err != nil || n.body != h.self.content {
		return h.self.path, wrong("find", h.self.path, fs.ErrNotExist)
	}
	return h.self.path, nil
}

// Digest implements machine.Programs.
func (p *Process) Digest(path string) (string, error) {
	n, err := p.look("read", path, (*node).resolve)
	switch {
	case err != nil:
		return "", err
	case !n.mode.IsRegular():
		return "", wrong("read", path, machine.ErrNotRegular)
	}
	return digest(n.body), nil
}

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// CopySelf implements machine.Programs.
func (p *Process) CopySelf(path, want string) error {
	p.host.mu.Lock()
	content := p.host.self.content
	p.host.mu.Unlock()
	if digest(content) != want {
		return fmt.Errorf("copy this program to %s: it is not the one that was meant", path)
	}
	return p.Write(path, []byte(content), machine.ProgramMode)
}

// Place implements machine.Programs. Links are not followed here.
func (p *Process) Place(dir string) (machine.Place, error) {
	h := p.host
	err := p.enter()
	defer h.mu.Unlock()
	if err == nil {
		err = valid(dir)
	}
	if err != nil {
		return machine.Place{}, wrong("look at", dir, err)
	}
	out := machine.Place{Dir: dir, Safe: true}
	for at := dir; at != "/"; at = path.Dir(at) {
		n, err := h.files.root.resolve(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		out.Safe = out.Safe && err == nil && n.owner.UID == 0 && n.mode.Perm()&0o002 == 0
	}
	out.ReadOnly = slices.ContainsFunc(h.faults.readOnly, func(ro string) bool {
		return ro == "/" || dir == ro || strings.HasPrefix(dir, ro+"/")
	})
	return out, nil
}
