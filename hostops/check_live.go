package hostops

import (
	"context"
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// checkLive names the wished settings whose value is not the one that the files of the host
// set at boot: somebody sets them later, and it is the value that counts. Nobody knows who;
// some who do are known.
func (p *prospect) checkLive(context.Context) []CheckResult {
	files, err := sysctl.LoadFiles(p.machine)
	if err != nil {
		return nil // told with the files
	}
	reading := sysctl.Read(sysctl.Systemd, files)
	var out []CheckResult
	for _, r := range p.report.Results() {
		if r.Key.Kind() != item.Sysctl || !r.Have.Present() {
			continue
		}
		line, decided := reading.Deciding(r.Key)
		if !decided || line.State == r.Have {
			continue
		}
		out = append(out, CheckResult{
			ID: "sysctls.live", Outcome: CheckInfo, MendedByUp: r.Outcome == item.Changed, File: line.File, Line: line.Number,
			Message: fmt.Sprintf("%s is %s, and %s:%d says %s: somebody set it after the boot, or the line is new%s", r.Key.Name(), r.Have, line.File, line.Number, line.State, p.suspect(r.Key)),
		})
	}
	return out
}

// suspect names a running service that is known to set a key.
func (p *prospect) suspect(k item.Key) string {
	name := k.Name()
	switch {
	case strings.HasSuffix(name, "forward") || strings.HasSuffix(name, ".forwarding"):
		if p.runs("systemd-networkd.service") {
			return "; systemd-networkd runs, and sets forwarding by IPForward= and IPv4Forwarding= of its files"
		}
	case strings.HasPrefix(name, "net.netfilter.nf_conntrack_"):
		return "; kube-proxy sets it by its conntrack options"
	}
	return ""
}

// runs reports whether systemd runs a unit.
func (p *prospect) runs(unit string) bool {
	_, err := p.machine.Files.Lstat(paths.ActiveUnits + "/invocation:" + unit)
	return err == nil
}
