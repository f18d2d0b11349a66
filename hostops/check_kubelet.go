package hostops

import (
	"context"
	"fmt"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/profile"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// checkKubelet compares what will be in force with what the kubelet checks at its start
// with protectKernelDefaults, where that is asked for or set on this host. Another profile
// may win with another value: that is allowed, and the kubelet refuses to start.
func (p *prospect) checkKubelet(context.Context) []CheckResult {
	place := p.protection()
	if !p.defaults && place == nil {
		return nil
	}
	table := profile.KubeletSysctls()
	var rows []CheckResult
	held, after := 0, len(table)
	for _, row := range table {
		key := sysctl.Key(sysctl.Name(row.Name))
		have := p.have(key)
		want, from := p.becomes(key, have)
		switch {
		case want != row.Value:
			after--
			rows = append(rows, refusing(row, want, from))
		case have == row.Value:
			held++
		default:
			rows = append(rows, mended(row, have))
		}
	}
	sum := CheckResult{ID: "kubelet", Outcome: CheckOK, Required: true, MendedByUp: after == len(table)}
	sum.Message = fmt.Sprintf("%d of %d settings of protectKernelDefaults hold, %d after 'up'", held, len(table), after)
	if place != nil {
		sum.Message += "; it is set by " + place.String()
		sum.File, sum.Line = place.file, place.line
	}
	if after < len(table) {
		sum.Outcome = CheckInfo // each setting that will not hold is a failure of its own
	}
	return append([]CheckResult{sum}, rows...)
}

func mended(row profile.KubeletSysctl, have string) CheckResult {
	if have == "" {
		have = "not known"
	}
	return CheckResult{
		ID: "kubelet." + row.Name, Outcome: CheckInfo, Required: true, MendedByUp: true,
		Message: fmt.Sprintf("%s is %s, want %s: 'up' sets it", row.Name, have, row.Value),
	}
}

func refusing(row profile.KubeletSysctl, want, from string) CheckResult {
	r := CheckResult{
		ID: "kubelet." + row.Name, Outcome: CheckFail, Required: true, Reason: item.Reason(v1alpha1.ReasonKubeletWillFailAtRestart),
		Message: fmt.Sprintf("%s becomes %s (%s), and the kubelet accepts %s only", row.Name, want, from, row.Value),
		Fix:     "remove it from that profile, or leave protectKernelDefaults off",
	}
	if from == nobodyNames {
		r.Message = fmt.Sprintf("%s is %s, and the kubelet accepts %s only: it will not start again", row.Name, want, row.Value)
		r.Fix = "add the profile: --profile " + kubeletDefaults
	}
	return r
}

const nobodyNames = "no profile names it"

// have returns the value of a sysctl now, empty if it cannot be read.
func (p *prospect) have(k item.Key) string {
	if p.offline() {
		return ""
	}
	for _, r := range p.report.Results() {
		if r.Key == k {
			return r.Have.Text()
		}
	}
	s, err := sysctl.New(p.machine, p.facts.BootID).Observe(context.Background(), k)
	if err != nil {
		return ""
	}
	return s.Text()
}

// becomes returns the value of a sysctl after Up, and whose wish that is.
func (p *prospect) becomes(k item.Key, have string) (value, from string) {
	for _, w := range p.want.Wants {
		switch {
		case w.Key != k:
		case w.Unmanaged:
			return have, w.Source.Profile + " leaves it alone"
		case w.Holds(item.Text(have)):
			return have, w.Source.Profile
		default:
			return w.State.Text(), w.Source.Profile
		}
	}
	return have, nobodyNames
}
