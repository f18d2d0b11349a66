package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

func factsOf(s *Situation) v1alpha1.Facts {
	f := &s.Facts
	selinux := string(f.SELinux)
	if f.SELinux == machine.SELinuxOff {
		selinux = ""
	}
	return v1alpha1.Facts{
		Kernel: cut(f.Kernel.Raw, 128), OS: cut(f.OS.PrettyName, 128), Cgroup: string(f.Cgroup.Mode), SELinux: selinux, Firewalld: s.Firewalld.facts(),
	}
}

func bootstrapOf(in *hostops.Input) *v1alpha1.Bootstrap {
	if in == nil {
		return nil
	}
	b := &v1alpha1.Bootstrap{InputHash: digest(in.Profiles)}
	for i := range in.Profiles {
		b.Profiles = append(b.Profiles, in.Profiles[i].Name)
	}
	slices.Sort(b.Profiles)
	b.Profiles = b.Profiles[:min(len(b.Profiles), 64)]
	return b
}

// digest tells two values apart by their JSON.
func digest(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func summary(s *Situation, c *collection) v1alpha1.Summary {
	out := v1alpha1.Summary{Version: cut(s.Version, 64)}
	if s.Run.Input == nil {
		out.Version += "/none"
	}
	if n := int(c.counts.Total - c.counts.Skipped); n > 0 {
		out.Applied = fmt.Sprintf("%d/%d", c.right, n)
	}
	out.Firewalld = firewalldSummary(s, c)
	if r := nodeIPOf(s); r != nil {
		out.NodeIP = strings.Join(r.Addresses, ",")
	}
	if len(c.findings) > 0 {
		out.Message = cut(c.findings[0].brief(), v1alpha1.MaxMessageLength)
	}
	return out
}

// profileReports tells how each profile of the cluster is on this node.
func profileReports(s *Situation, findings []finding) []v1alpha1.ProfileReport {
	var out []v1alpha1.ProfileReport
	for i := range s.Profiles {
		p := &s.Profiles[i]
		out = append(out, v1alpha1.ProfileReport{Name: p.Name, Generation: p.Generation, State: profileState(s, p, findings)})
	}
	return out[:min(len(out), v1alpha1.MaxStatusProfiles)]
}

func profileState(s *Situation, p *wish.Profile, findings []finding) v1alpha1.ProfileState {
	switch {
	case p.State == wish.NotUnderstood:
		return v1alpha1.ProfileDegraded
	case p.State == wish.Releasing:
		return v1alpha1.ProfileProgressing
	case p.State == wish.Planned:
		return v1alpha1.ProfilePlanned
	case p.State == wish.Paused || s.Paused:
		return v1alpha1.ProfilePaused
	case s.Refused != nil:
		return v1alpha1.ProfileDegraded
	case inConflict(s, p.Name):
		return v1alpha1.ProfileHeld
	}
	for i := range findings {
		if f := &findings[i]; f.Profile == p.Name && f.fails && f.required {
			return v1alpha1.ProfileDegraded
		}
	}
	return v1alpha1.ProfileReady
}

func inConflict(s *Situation, name string) bool {
	for i := range s.Run.Conflicts {
		if slices.Contains(s.Run.Conflicts[i].Profiles, name) {
			return true
		}
	}
	return false
}
