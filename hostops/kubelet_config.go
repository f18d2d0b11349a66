package hostops

import (
	"cmp"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// place is where something is set on the host: in a file, or by a process.
type place struct {
	file    string
	line    int
	process string
}

func (p *place) String() string {
	switch {
	case p.process != "":
		return p.process
	case p.line == 0:
		return p.file
	default:
		return fmt.Sprintf("%s:%d", p.file, p.line)
	}
}

const protectFlag = "--protect-kernel-defaults"

// protection says where the kubelet of this host is told to protect the kernel's defaults,
// nil if it is not: on a command line, in a file with arguments, in its own configuration
// or in that of K3s or RKE2.
func (h *Host) protection() *place {
	for _, c := range h.kubeletCommands() {
		if line := flagLine(strings.Join(c.args, " ")); line > 0 {
			return &place{process: c.String()}
		}
	}
	for _, f := range h.kubeletFiles() {
		if line := flagLine(f.content); line > 0 {
			return &place{file: f.path, line: line}
		}
	}
	config := h.kubeletConfig()
	if text, err := h.machine.Files.Read(config); err == nil {
		if n := yamlField(string(text), "protectKernelDefaults"); n != nil && n.Value == "true" {
			return &place{file: config, line: n.Line}
		}
	}
	return h.rancherProtection()
}

// flagLine returns the line of a text that has the flag, 0 if none has.
func flagLine(content string) int {
	number := 0
	for line := range strings.Lines(content) {
		number++
		if text := strings.TrimSpace(line); text == "" || text[0] == '#' || text[0] == ';' {
			continue
		}
		_, after, found := strings.Cut(line, protectFlag)
		if found && !strings.HasPrefix(after, "=false") && !strings.HasPrefix(after, "=0") {
			return number
		}
	}
	return 0
}

// kubeletConfig is the file that the kubelet of this host reads, or would.
func (h *Host) kubeletConfig() string {
	for _, c := range h.kubeletCommands() {
		if file := nodeip.Flag(c.args, "config"); file != "" {
			return file
		}
	}
	for _, f := range h.kubeletFiles() {
		if file := nodeip.FlagInText(f.content, "config"); file != "" {
			return file
		}
	}
	return paths.KubeletConfig
}

// rancherProtection looks into the configuration of K3s and RKE2. RKE2 protects by itself
// with any of its CIS profiles.
func (h *Host) rancherProtection() *place {
	for _, p := range []nodeip.Publish{nodeip.K3s, nodeip.RKE2} {
		for _, f := range h.rancherFiles(p) {
			n := cmp.Or(truth(yamlField(f.content, "protect-kernel-defaults")), protectingArgument(f.content))
			if n == nil && p == nodeip.RKE2 {
				n = hardened(f.content)
			}
			if n != nil {
				return &place{file: f.path, line: n.Line}
			}
		}
	}
	return nil
}

// truth returns a node that says true.
func truth(n *yaml.Node) *yaml.Node {
	if n != nil && n.Value == "true" {
		return n
	}
	return nil
}

func protectingArgument(content string) *yaml.Node {
	for _, key := range []string{"kubelet-arg", "kubelet-arg+"} {
		list := yamlField(content, key)
		if list == nil {
			continue
		}
		for _, n := range append(list.Content, list) {
			if strings.TrimPrefix(n.Value, "--") == "protect-kernel-defaults=true" {
				return n
			}
		}
	}
	return nil
}

// hardened returns the field by which RKE2 is told to obey a CIS benchmark: "cis",
// "cis-1.23" and the like.
func hardened(content string) *yaml.Node {
	if n := yamlField(content, "profile"); n != nil && strings.HasPrefix(n.Value, "cis") {
		return n
	}
	return nil
}

// yamlField returns the value of a field at the top of a document, nil if it has none.
func yamlField(content, name string) *yaml.Node {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(content), &doc) != nil || len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil
	}
	fields := doc.Content[0].Content
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i].Value == name {
			return fields[i+1]
		}
	}
	return nil
}
