package hostops

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// runningKubelet looks for the address by which this host is a node already: on the
// command line of a kubelet, then in the files that its next start reads. Our own files
// do not count.
func (h *Host) runningKubelet() nodeip.Running {
	if r := h.kubeletProcess(); r.IP != "" {
		return r
	}
	for _, f := range h.kubeletFiles() {
		if ip := nodeip.FlagInText(f.content, "node-ip"); isNodeIP(ip) {
			return nodeip.Running{Exists: true, IP: ip, From: f.path}
		}
	}
	for _, p := range []nodeip.Publish{nodeip.K3s, nodeip.RKE2} {
		for _, a := range h.rancherAddresses(p) {
			return nodeip.Running{Exists: true, IP: a.ip, From: a.path}
		}
	}
	return nodeip.Running{Exists: h.kubeletTraces()}
}

// isNodeIP: with the all-zeros address of either family a kubelet chooses by itself, and a
// variable such as ${NODE_IP} says nothing.
func isNodeIP(ip string) bool {
	_, err := nodeip.Parse(ip)
	return err == nil
}

// kubeletProcess looks at the processes of the host.
func (h *Host) kubeletProcess() nodeip.Running {
	var r nodeip.Running
	for _, c := range h.kubeletCommands() {
		if _, err := h.machine.Files.Lstat(nodeip.Flag(c.args, "kubeconfig")); err == nil {
			r.Exists = true // before a host joins, kubeadm's kubelet starts again and again without one
		}
		if ip := nodeip.Flag(c.args, "node-ip"); isNodeIP(ip) {
			return nodeip.Running{Exists: true, IP: ip, From: c.String()}
		}
	}
	return r
}

// kubeletCommand is the command line of a kubelet that runs, or of what brings one along.
type kubeletCommand struct {
	pid  string
	args []string
}

func (c *kubeletCommand) String() string {
	return "the command line of " + path.Base(c.args[0]) + ", process " + c.pid
}

func (h *Host) kubeletCommands() []kubeletCommand {
	names, err := h.machine.Files.ReadDir(procDir)
	if err != nil {
		return nil
	}
	var out []kubeletCommand
	for _, name := range names {
		if _, err := strconv.Atoi(name); err != nil {
			continue
		}
		text, err := h.machine.Files.Read(path.Join(procDir, name, "cmdline"))
		if err != nil {
			continue
		}
		args := strings.Split(string(bytes.TrimRight(text, "\x00")), "\x00")
		if program := path.Base(args[0]); program == "kubelet" || program == "k3s" || program == "rke2" {
			out = append(out, kubeletCommand{name, args})
		}
	}
	return out
}

// kubeletTraces reports whether a kubelet of this host has joined a cluster.
func (h *Host) kubeletTraces() bool {
	return h.kubeletProcess().Exists || slices.ContainsFunc(paths.KubeletTraces, func(p string) bool {
		_, err := h.machine.Files.Lstat(p)
		return err == nil
	})
}

// hostFile is a file of somebody else's.
type hostFile struct{ path, content string }

// kubeletFiles are the files that set a kubelet's arguments, the one that wins first.
func (h *Host) kubeletFiles() []hostFile {
	var out []hostFile
	for _, p := range append(slices.Clone(paths.KubeletDefaults), paths.KubeadmFlags) {
		if text, err := h.machine.Files.Read(p); err == nil {
			out = append(out, hostFile{p, string(text)})
		}
	}
	unit := h.kubeletUnit()
	slices.Reverse(unit)
	return append(out, unit...)
}

// kubeletUnit returns the files of kubelet.service without ours, in the order in which
// systemd reads them: the unit, then drop-ins by their base names. A file hides those of
// its name in later folders.
func (h *Host) kubeletUnit() []hostFile {
	var out []hostFile
	for _, dir := range paths.UnitDirs {
		if text, err := h.machine.Files.Read(path.Join(dir, paths.KubeletUnit)); err == nil {
			out = append(out, hostFile{path.Join(dir, paths.KubeletUnit), string(text)})
			break
		}
	}
	dropIns := map[string]string{}
	var names []string
	for _, dir := range paths.UnitDirs {
		entries, err := h.machine.Files.ReadDir(path.Join(dir, paths.KubeletUnit+".d"))
		if err != nil {
			continue
		}
		for _, name := range entries {
			if _, hidden := dropIns[name]; !hidden && path.Ext(name) == ".conf" {
				dropIns[name] = path.Join(dir, paths.KubeletUnit+".d", name)
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if text, err := h.machine.Files.Read(dropIns[name]); err == nil && dropIns[name] != paths.KubeletDropIn {
			out = append(out, hostFile{dropIns[name], string(text)})
		}
	}
	return out
}

// configArgs is what kubelet.service has in KUBELET_CONFIG_ARGS before our drop-in.
func (h *Host) configArgs(p nodeip.Publish) string {
	if p != nodeip.Kubeadm {
		return ""
	}
	var before []string
	for _, f := range h.kubeletUnit() {
		if path.Base(f.path) < path.Base(paths.KubeletDropIn) || path.Base(f.path) == paths.KubeletUnit {
			before = append(before, f.content)
		}
	}
	if args, found := nodeip.ConfigArgs(before); found {
		return args
	}
	return nodeip.DefaultConfigArgs
}

// overruled tells that a --node-ip of somebody's own wins over ours.
func (h *Host) overruled(ip string) []nodeip.Warning {
	for _, f := range h.kubeletFiles() {
		if theirs := nodeip.FlagInText(f.content, "node-ip"); isNodeIP(theirs) && !nodeip.Same(theirs, ip) {
			return []nodeip.Warning{{
				Reason:  nodeip.Mismatch,
				Message: fmt.Sprintf("%s sets --node-ip=%s, which wins over the saved address %s", f.path, theirs, ip),
				Fix:     "remove it there, or move the node: bootstrap up --node-ip " + theirs + " --move-node-ip",
			}}
		}
	}
	for _, f := range h.kubeletFiles() {
		// Of our unit's drop-ins, only those after ours.
		late := path.Ext(f.path) != ".conf" || path.Base(f.path) > path.Base(paths.KubeletDropIn)
		if nodeip.SetsConfigArgs(f.content) && late && path.Base(f.path) != paths.KubeletUnit {
			return []nodeip.Warning{{
				Reason:  nodeip.Mismatch,
				Message: f.path + " sets KUBELET_CONFIG_ARGS, which wins over our drop-in: the kubelet is started without --node-ip",
				Fix:     "set KUBELET_EXTRA_ARGS there instead",
			}}
		}
	}
	return nil
}

// named is an address that a file names.
type named struct{ path, ip string }

// foreignAddress refuses an address against which a file of somebody's own speaks: which
// of two files counts must not depend on their names.
func (h *Host) foreignAddress(p nodeip.Publish, ip string) *nodeip.Problem {
	for _, a := range h.rancherAddresses(p) {
		if nodeip.Same(a.ip, ip) {
			continue
		}
		return &nodeip.Problem{
			Reason: nodeip.Mismatch, Refuse: true,
			Message: fmt.Sprintf("%s sets node-ip %s, and the address of this node is %s", a.path, a.ip, ip),
			Fix:     "remove node-ip there, or move the node to it: bootstrap up --node-ip " + a.ip + " --move-node-ip",
		}
	}
	return nil
}

// alreadyThere reports whether somebody's own file names the address.
func (h *Host) alreadyThere(p nodeip.Publish, ip string) bool {
	return slices.ContainsFunc(h.rancherAddresses(p), func(a named) bool { return nodeip.Same(a.ip, ip) })
}

// rancherAddresses are what the configuration of K3s or RKE2 names, without our file. A
// file that cannot be read or understood names nothing: K3s itself says what is wrong.
func (h *Host) rancherAddresses(p nodeip.Publish) []named {
	var out []named
	for _, f := range h.rancherFiles(p) {
		if ip := rancherNodeIP([]byte(f.content)); isNodeIP(ip) {
			out = append(out, named{f.path, ip})
		}
	}
	return out
}

// rancherFiles are the files of configuration of K3s or RKE2 without ours, in the order in
// which they are read.
func (h *Host) rancherFiles(p nodeip.Publish) []hostFile {
	var main, dir string
	switch p {
	case nodeip.K3s:
		main, dir = paths.K3sConfig, paths.K3sConfigDir
	case nodeip.RKE2:
		main, dir = paths.RKE2Config, paths.RKE2ConfigDir
	default:
		return nil
	}
	files := []string{main}
	names, err := h.machine.Files.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		names = nil
	}
	for _, name := range names {
		if ext := path.Ext(name); (ext == ".yaml" || ext == ".yml") && name != paths.RancherConfigName {
			files = append(files, path.Join(dir, name))
		}
	}
	var out []hostFile
	for _, f := range files {
		if text, err := h.machine.Files.Read(f); err == nil {
			out = append(out, hostFile{f, string(text)})
		}
	}
	return out
}

// rancherNodeIP reads node-ip: one address, "v4,v6" or a list.
func rancherNodeIP(text []byte) string {
	var config map[string]any
	if err := yaml.Unmarshal(text, &config); err != nil {
		return ""
	}
	for _, key := range []string{"node-ip", "node-ip+"} {
		switch v := config[key].(type) {
		case string:
			return strings.ReplaceAll(v, " ", "")
		case []any:
			words := make([]string, len(v))
			for i, w := range v {
				words[i] = fmt.Sprint(w)
			}
			return strings.Join(words, ",")
		}
	}
	return ""
}
