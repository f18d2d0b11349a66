package hostops

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// checkRKE2 looks for what RKE2 wants besides kernel settings when it is to obey a CIS
// benchmark: it does not start as a server without a user and a group for etcd.
func (p *prospect) checkRKE2(context.Context) []CheckResult {
	for _, f := range p.rancherFiles(nodeip.RKE2) {
		n := hardened(f.content)
		if n == nil {
			continue
		}
		r := CheckResult{ID: "rke2", Outcome: CheckOK, File: f.path, Line: n.Line}
		r.Message = fmt.Sprintf("%s:%d asks for profile: %s; user and group etcd are there", f.path, n.Line, n.Value)
		if !p.hasEntry(paths.Passwd, "etcd") || !p.hasEntry(paths.Group, "etcd") {
			r.Outcome, r.Reason, r.Required = CheckWarn, "EtcdUserMissing", p.hasUnit(paths.RKE2Server)
			r.Message = fmt.Sprintf("%s:%d asks for profile: %s, and rke2-server does not start with it without user and group etcd", f.path, n.Line, n.Value)
			r.Fix = "useradd --system --comment 'etcd user' --shell /sbin/nologin --no-create-home --user-group etcd"
			if r.Required {
				r.Outcome = CheckFail
			}
		}
		return []CheckResult{r}
	}
	return nil
}

// hasEntry reports whether a file such as passwd has an entry.
func (p *prospect) hasEntry(file, name string) bool {
	text, err := p.machine.Files.Read(file)
	if err != nil {
		return true // nobody knows
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, name+":") {
			return true
		}
	}
	return false
}

// hasUnit reports whether the host has a unit of systemd.
func (p *prospect) hasUnit(name string) bool {
	for _, dir := range paths.UnitDirs {
		if _, err := p.machine.Files.Lstat(path.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
