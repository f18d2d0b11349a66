package hostops

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// ciliumLinks are the interfaces that Cilium makes on a host, and linksOfOthers one that is
// called alike.
var ciliumLinks = []string{"lxc*", "cilium_*"}

const linksOfOthers = "lxcbr*"

// checkLinks names the interfaces of Cilium on which the kernel filters packets by the way
// back: those of pods are dropped there without a word. Of the two settings that count, that
// of all interfaces and its own, the larger one is in force.
func (p *prospect) checkLinks(context.Context) []CheckResult {
	const id = "rp_filter"
	links, err := p.machine.Proc.ListSysctl("net/ipv4/conf")
	if err != nil {
		return nil
	}
	var out []CheckResult
	seen := 0
	all := p.filter("all")
	for _, link := range links {
		if !ofCilium(link) {
			continue
		}
		seen++
		r := CheckResult{ID: id, Outcome: CheckWarn}
		switch own := p.filter(link); {
		case own != "0" && own != "":
			r.Message = fmt.Sprintf("net.ipv4.conf.%s.rp_filter is %s: packets of its pod may be dropped", link, own)
			r.MendedByUp = p.raises(sysctl.Key(sysctl.Name("net.ipv4.conf." + strings.ReplaceAll(link, ".", "/") + ".rp_filter")))
			r.Fix = "add the profile: --profile cilium"
			if r.MendedByUp {
				r.Fix = "'up' sets it to 0"
			}
			out = append(out, r)
		case all != "0" && all != "":
			r.Reason = "MaskedByAll"
			r.Message = fmt.Sprintf("net.ipv4.conf.%s.rp_filter is 0, and has no effect: net.ipv4.conf.all.rp_filter is %s", link, all)
			r.Fix = "set net.ipv4.conf.all.rp_filter to 0; interfaces that shall filter have a setting of their own"
			out = append(out, r)
		}
	}
	if seen > 0 && len(out) == 0 {
		out = append(out, CheckResult{ID: id, Outcome: CheckOK, Message: fmt.Sprintf("off on the interfaces of Cilium, %d of them", seen)})
	}
	return out
}

func ofCilium(link string) bool {
	if other, _ := path.Match(linksOfOthers, link); other {
		return false
	}
	for _, pattern := range ciliumLinks {
		if ok, _ := path.Match(pattern, link); ok {
			return true
		}
	}
	return false
}

// filter returns the setting of one interface, empty if it cannot be read.
func (p *prospect) filter(link string) string {
	value, err := p.machine.Proc.ReadSysctl("net/ipv4/conf/" + link + "/rp_filter")
	if err != nil {
		return ""
	}
	return value
}
