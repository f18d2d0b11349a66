package hostops

import (
	"context"
	"path"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// unmanagedSnippet keeps NetworkManager away from what Cilium makes.
const unmanagedSnippet = "write '[keyfile]' and 'unmanaged-devices=interface-name:cilium_*;interface-name:lxc*' into /etc/NetworkManager/conf.d/cilium.conf; then: systemctl reload NetworkManager"

// checkManager tells where NetworkManager is not kept away from the interfaces of pods: it
// takes new ones for its own, and may give them addresses and routes.
func (p *prospect) checkManager(context.Context) []CheckResult {
	const unit = "NetworkManager.service"
	if there := p.runs(unit) || p.offline() && p.hasUnit(unit); !there || !p.kubernetes {
		return nil
	}
	r := CheckResult{ID: "networkmanager", Outcome: CheckOK, Message: "NetworkManager leaves interfaces of Cilium alone"}
	if !p.unmanaged("cilium_") || !p.unmanaged("lxc") {
		r.Outcome = CheckInfo
		if p.cilium {
			r.Outcome = CheckWarn
		}
		r.Message = "NetworkManager runs, and no file tells it to leave the interfaces of Cilium alone"
		r.Fix = unmanagedSnippet
	}
	return []CheckResult{r}
}

// unmanaged reports whether a file of NetworkManager's keeps it from interfaces whose names
// begin so.
func (p *prospect) unmanaged(prefix string) bool {
	for _, dir := range paths.NMConfDirs {
		names, err := p.machine.Files.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, name := range names {
			text, err := p.machine.Files.Read(path.Join(dir, name))
			if err != nil || path.Ext(name) != ".conf" {
				continue
			}
			for line := range strings.Lines(string(text)) {
				key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				if key = strings.TrimRight(key, "+ \t"); key == "unmanaged-devices" && leaves(value, prefix) {
					return true
				}
			}
		}
	}
	return false
}

// leaves reports whether a list of devices has the interfaces of a prefix.
func leaves(list, prefix string) bool {
	for _, spec := range strings.FieldsFunc(list, func(r rune) bool { return r == ';' || r == ',' }) {
		pattern, ok := strings.CutPrefix(strings.TrimSpace(spec), "interface-name:")
		pattern = strings.TrimPrefix(pattern, "=")
		if match, err := path.Match(pattern, prefix+"0123"); ok && err == nil && match {
			return true
		}
		if strings.TrimSpace(spec) == "*" {
			return true
		}
	}
	return false
}
