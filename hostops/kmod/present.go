package kmod

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// trace is what shows that a module is at work, however it came into the kernel.
type trace struct {
	sysctl     string // the path of a key that it brings
	prefix     string // what the names of all keys that it brings begin with
	filesystem string // a line of /proc/filesystems
}

// brings are the traces of modules that hosts are prepared with. A module that is part
// of the kernel and has no parameters leaves nothing in /sys/module.
var brings = map[string]trace{
	"br_netfilter": {sysctl: "net/bridge/bridge-nf-call-iptables", prefix: "net.bridge.bridge-nf-"},
	"nf_conntrack": {sysctl: "net/netfilter/nf_conntrack_max", prefix: "net.netfilter.nf_conntrack_"},
	"ip_vs":        {sysctl: "net/ipv4/vs/conntrack", prefix: "net.ipv4.vs."},
	"overlay":      {filesystem: "overlay"},
	"fuse":         {filesystem: "fuse"},
	"xfs":          {filesystem: "xfs"},
	"btrfs":        {filesystem: "btrfs"},
}

// Bringing returns the module that a sysctl's item comes with, if one is known.
func Bringing(k item.Key) (module string, ok bool) {
	if k.Kind() != item.Sysctl {
		return "", false
	}
	for module, t := range brings {
		if t.prefix != "" && strings.HasPrefix(k.Name(), t.prefix) {
			return module, true
		}
	}
	return "", false
}

const filesystems = "/proc/filesystems"

// present reports whether a module is loaded or part of the kernel. The cheap and sure
// signs are looked at first.
func (o *Operation) present(name string) (bool, error) {
	for _, look := range []func(string) (bool, error){o.inSysfs, o.inModules, o.atWork, o.builtIn} {
		if there, err := look(name); there || err != nil {
			return there, err
		}
	}
	return false, nil
}

// inSysfs looks at /sys/module. A module that can be unloaded has an initstate there,
// which is "live" once its init function has returned; one that is part of the kernel
// has a directory only if it has parameters.
func (o *Operation) inSysfs(name string) (bool, error) {
	dir := path.Join(paths.SysModule, name)
	state, err := o.m.Proc.ReadProc(dir + "/initstate")
	if err == nil {
		return strings.TrimSpace(string(state)) == "live", nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read %s/initstate: %w", dir, err)
	}
	_, err = o.m.Proc.ReadProc(dir)
	return errors.Is(err, machine.ErrNotRegular), nil
}

// inModules looks at /proc/modules: name, size, users, their names, state, address.
func (o *Operation) inModules(name string) (bool, error) {
	return o.anyLine(paths.Modules, func(f []string) bool {
		return len(f) >= 5 && f[0] == name && f[4] == "Live"
	})
}

// atWork looks for what a module is known to bring.
func (o *Operation) atWork(name string) (bool, error) {
	t := brings[name]
	if t.sysctl != "" {
		_, err := o.m.Proc.ReadSysctl(t.sysctl)
		return err == nil, nil
	}
	if t.filesystem == "" {
		return false, nil
	}
	return o.anyLine(filesystems, func(f []string) bool { return slices.Contains(f, t.filesystem) })
}

// anyLine reports whether a line of a kernel file matches. A kernel without that file
// has no such line.
func (o *Operation) anyLine(file string, match func(fields []string) bool) (bool, error) {
	content, err := o.m.Proc.ReadProc(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", file, err)
	}
	for line := range strings.Lines(string(content)) {
		if match(strings.Fields(line)) {
			return true, nil
		}
	}
	return false, nil
}

// builtIn looks at the list of what is part of the running kernel, if there is one.
func (o *Operation) builtIn(name string) (bool, error) {
	release, err := o.release()
	if err != nil {
		return false, err
	}
	list := path.Join(paths.LibModules, release, "modules.builtin")
	content, err := o.m.Files.Read(list)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", list, err)
	}
	return listsBuiltin(string(content), name), nil
}

// listsBuiltin reads modules.builtin: one path a line, "kernel/net/bridge/br_netfilter.ko".
func listsBuiltin(content, name string) bool {
	for line := range strings.Lines(content) {
		file, ok := strings.CutSuffix(strings.TrimSpace(line), ".ko")
		if ok && underscored(path.Base(file)) == name {
			return true
		}
	}
	return false
}

func (o *Operation) release() (string, error) {
	release, err := o.m.Proc.ReadSysctl(paths.OSReleaseKey)
	if err != nil {
		return "", fmt.Errorf("read the kernel's release: %w", err)
	}
	return release, nil
}
