package hostops

import (
	"context"
	"errors"
	"fmt"

	"github.com/hostprofile/hostprofile/hostops/hostname"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// checkHostname says by which name this host would be a node. It does not wait for one. A
// kubelet that is given another name does not ask the host.
func (p *prospect) checkHostname(context.Context) []CheckResult {
	const id = "hostname"
	if name, from := p.givenName(); name != "" {
		r := CheckResult{ID: id, Outcome: CheckOK, Message: fmt.Sprintf("%s, which %s gives the kubelet", name, from)}
		if _, err := hostname.Canonical(name); err != nil {
			r = p.badName(id, err)
		}
		return []CheckResult{r}
	}
	if p.offline() && hostname.IsPlaceholder(p.facts.Hostname) {
		return []CheckResult{{ID: id, Outcome: CheckOK, Message: "none yet: each host that boots it is given its own"}}
	}
	name, err := hostname.Canonical(p.facts.Hostname)
	if err != nil {
		return []CheckResult{p.badName(id, err)}
	}
	r := CheckResult{ID: id, Outcome: CheckOK, Message: name}
	if w := (Hostname{name, p.facts.Hostname}).Warning(); w != "" {
		r.Outcome, r.Message = CheckWarn, w
		r.Fix = "hostnamectl set-hostname " + name
	}
	return []CheckResult{r}
}

// badName is a failure where a node is meant, and information elsewhere.
func (p *prospect) badName(id string, err error) CheckResult {
	r := CheckResult{ID: id, Outcome: CheckInfo, Required: p.kubernetes, Message: err.Error()}
	if p.kubernetes {
		r.Outcome = CheckFail
	}
	var e *item.Error
	if errors.As(err, &e) {
		r.Reason, r.Fix = e.Reason, e.Fix
	}
	return r
}

// givenName is the name that a kubelet of this host is given; empty if it asks the host.
func (p *prospect) givenName() (name, from string) {
	const flag = "hostname-override"
	for _, c := range p.kubeletCommands() {
		if name := nodeip.Flag(c.args, flag); name != "" {
			return name, c.String()
		}
	}
	for _, f := range p.kubeletFiles() {
		if name := nodeip.FlagInText(f.content, flag); name != "" {
			return name, f.path
		}
	}
	for _, publish := range []nodeip.Publish{nodeip.K3s, nodeip.RKE2} {
		for _, f := range p.rancherFiles(publish) {
			if n := yamlField(f.content, "node-name"); n != nil && n.Value != "" {
				return n.Value, f.path
			}
		}
	}
	return "", ""
}
