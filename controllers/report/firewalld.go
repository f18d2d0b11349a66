package report

import (
	"fmt"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Firewalld is what there is of firewalld on the node.
type Firewalld struct {
	machine.Firewalld
	// Node is the name of the Node, for the command that restarts the CNI there.
	Node string
	// Managed are the trusted interfaces that NetworkManager manages too.
	Managed []firewalld.Managed
	// Reloads counts how often somebody reloaded or restarted it.
	Reloads int
	// Reloaded is when that was last, zero once it is no news any more.
	Reloaded time.Time
}

// reason is why nothing is wrong with the section.
func (f *Firewalld) reason() v1alpha1.Reason {
	switch f.State {
	case machine.FirewallAbsent, machine.FirewallStopped, machine.FirewallMasked:
		return v1alpha1.Reason(f.State)
	default:
		return v1alpha1.ReasonAllApplied
	}
}

func (f *Firewalld) facts() *v1alpha1.FirewalldFacts {
	if f.State == "" {
		return nil
	}
	return &v1alpha1.FirewalldFacts{
		State: string(f.State), Version: cut(f.Version, 32), Backend: cut(f.Backend, 16), ReloadsSeen: int32(f.Reloads),
	}
}

// firewalldSummary is the word of the column.
func firewalldSummary(s *Situation, c *collection) string {
	t := v1alpha1.ConditionFirewalldReady
	switch failed := c.failsIn(t); {
	case !c.managed[t] || s.Firewalld.State == "":
		return ""
	case failed != nil:
		return string(failed.Reason)
	case s.Firewalld.reason() != v1alpha1.ReasonAllApplied:
		return string(s.Firewalld.reason())
	default:
		return "Trusted"
	}
}

// addManaged tells interfaces that NetworkManager will move to another zone.
func (c *collection) addManaged(managed []firewalld.Managed) {
	for i := range managed {
		var f finding
		f.Key, f.section = "firewalld/networkmanager/"+managed[i].Interface, v1alpha1.ConditionFirewalldReady
		f.Severity, f.Reason = v1alpha1.SeverityWarning, v1alpha1.ReasonManagedByNetworkManager
		f.Message = withFix(managed[i].Message(), managed[i].Fix())
		c.add(f)
	}
}

// reloadKey is what a reload of firewalld is told under.
const reloadKey = "firewalld/reload"

// addReload tells that somebody reloaded firewalld. Our bindings are back, or have items
// of their own; what the CNI wrote into iptables is not ours to bring back.
func (c *collection) addReload(s *Firewalld) {
	if s.Reloaded.IsZero() || !c.managed[v1alpha1.ConditionFirewalldReady] {
		return
	}
	var f finding
	f.Key, f.Severity, f.Reason = reloadKey, v1alpha1.SeverityWarning, v1alpha1.ReasonFirewalldReloaded
	f.section = v1alpha1.ConditionFirewalldReady
	f.Message = fmt.Sprintf("reloaded %d times, last at %s (%s): rules of the CNI may be gone; kubectl -n kube-system delete pod -l k8s-app=cilium --field-selector spec.nodeName=%s",
		s.Reloads, s.Reloaded.UTC().Format(time.TimeOnly), s.Backend, s.Node)
	c.add(f)
}
