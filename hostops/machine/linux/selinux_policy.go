package linux

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

// policy is what was read of the policy's files, until they change.
type policy struct {
	stamp    string
	contexts *filecontext.Contexts
	// chosen are the types that an admin may give any file.
	chosen []string
}

const (
	selinuxDir    = "/etc/selinux"
	selinuxConfig = selinuxDir + "/config"
	// defaultPolicy is taken where the configuration names none.
	defaultPolicy = "targeted"
)

// named returns the label that the policy and the admin name for a path.
func (s *selinux) named(path string, kind filecontext.Kind) (string, error) {
	p, err := s.read()
	if err != nil {
		return "", err
	}
	label, err := p.contexts.Lookup(path, kind)
	if err != nil {
		return "", fmt.Errorf("find the label of %s: %w", path, err)
	}
	return label, nil
}

// wanted is the label that a file with a label should have. Only the type is ever another.
func (s *selinux) wanted(path string, kind filecontext.Kind, have string) (string, error) {
	label, err := s.named(path, kind)
	if err != nil {
		return have, err
	}
	p, err := s.read()
	if err != nil {
		return have, err
	}
	named, ok := filecontext.ParseContext(label)
	if !ok {
		return have, nil
	}
	is, ok := filecontext.ParseContext(have)
	switch {
	case !ok: // it has none that this policy knows
		return label, nil
	case slices.Contains(p.chosen, is.Type):
		return have, nil
	}
	is.Type = named.Type
	return is.String(), nil
}

// read returns the policy's files, and reads them again when they changed.
func (s *selinux) read() (*policy, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, err := s.policyDir()
	if err != nil {
		return nil, err
	}
	names := []string{
		"/files/file_contexts", "/files/file_contexts.homedirs", "/files/file_contexts.local",
		"/files/file_contexts.subs", "/files/file_contexts.subs_dist", "/customizable_types",
	}
	stamp := dir
	for _, name := range names {
		if info, err := s.files.Lstat(dir + name); err == nil {
			stamp += fmt.Sprint(" ", name, info.ModTime().UnixNano(), info.Size())
		}
	}
	if s.policy != nil && s.policy.stamp == stamp {
		return s.policy, nil
	}
	texts := make([]string, len(names))
	for i, name := range names {
		b, err := s.files.Read(dir + name)
		if err != nil && (i == 0 || !errors.Is(err, fs.ErrNotExist)) {
			return nil, fmt.Errorf("read the SELinux policy: %w", err)
		}
		texts[i] = string(b)
	}
	s.policy = &policy{stamp: stamp, chosen: strings.Fields(texts[5]), contexts: filecontext.Parse(filecontext.Files{
		Main: texts[0], Homes: texts[1], Local: texts[2], Subs: texts[3], SubsDist: texts[4],
	})}
	return s.policy, nil
}

// policyDir is the folder of the policy that the configuration names.
func (s *selinux) policyDir() (string, error) {
	b, err := s.files.Read(selinuxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the SELinux policy: %w", err)
	}
	name := defaultPolicy
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), "SELINUXTYPE="); ok {
			name = strings.TrimSpace(value)
		}
	}
	if name == "" || strings.ContainsAny(name, "/\x00") {
		return "", fmt.Errorf("%s: SELINUXTYPE=%s is no name of a policy: %w", selinuxConfig, name, fs.ErrInvalid)
	}
	return selinuxDir + "/" + name + "/contexts", nil
}
