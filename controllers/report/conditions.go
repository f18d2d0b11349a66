package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// stageSections are the conditions that the stages of a run are about.
var stageSections = map[string]string{
	"directories": v1alpha1.ConditionDirectoriesReady,
	"modules":     v1alpha1.ConditionModulesReady,
	"sysctls":     v1alpha1.ConditionSysctlsReady,
	"swap":        v1alpha1.ConditionSwapReady,
	"mounts":      v1alpha1.ConditionMountsReady,
	"SELinux":     v1alpha1.ConditionSELinuxReady,
	"firewalld":   v1alpha1.ConditionFirewalldReady,
	"node IP":     v1alpha1.ConditionNodeIPReady,
}

func sectionOf(k item.Kind) string {
	switch k {
	case item.Module:
		return v1alpha1.ConditionModulesReady
	case item.Swap:
		return v1alpha1.ConditionSwapReady
	case item.Mount:
		return v1alpha1.ConditionMountsReady
	case item.SELinux:
		return v1alpha1.ConditionSELinuxReady
	case item.Firewalld:
		return v1alpha1.ConditionFirewalldReady
	case item.Dir:
		return v1alpha1.ConditionDirectoriesReady
	case item.NodeIP:
		return v1alpha1.ConditionNodeIPReady
	default:
		return v1alpha1.ConditionSysctlsReady
	}
}

// sections are all conditions but Ready, in the order in which they are shown.
var sections = []string{
	v1alpha1.ConditionSysctlsReady, v1alpha1.ConditionModulesReady, v1alpha1.ConditionSwapReady,
	v1alpha1.ConditionMountsReady, v1alpha1.ConditionDirectoriesReady, v1alpha1.ConditionFirewalldReady,
	v1alpha1.ConditionNodeIPReady, v1alpha1.ConditionSELinuxReady, v1alpha1.ConditionBootReady,
}

// onNode are the conditions of a report that the Node has too, by another name.
var onNode = []struct{ node, own string }{
	{v1alpha1.NodeConditionReady, v1alpha1.ConditionReady},
	{v1alpha1.NodeConditionSysctls, v1alpha1.ConditionSysctlsReady},
	{v1alpha1.NodeConditionFirewalld, v1alpha1.ConditionFirewalldReady},
	{v1alpha1.NodeConditionNodeIP, v1alpha1.ConditionNodeIPReady},
}

func conditions(s *Situation, c *collection, state v1alpha1.NodeState) []metav1.Condition {
	out := []metav1.Condition{ready(s, c, state)}
	for _, t := range sections {
		out = append(out, section(s, c, t))
	}
	return out
}

// ready sums up. What only may be missing does not count.
func ready(s *Situation, c *collection, state v1alpha1.NodeState) metav1.Condition {
	worst := c.failsRequired()
	switch {
	case state == v1alpha1.NodeRemoved:
		return condition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonNotManaged,
			"everything was given back, as the annotation on the Node asks for")
	case state == v1alpha1.NodeDisabled:
		return condition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonNotManaged,
			"'bootstrap down' was run on this host; the agent stays out until 'bootstrap up'")
	case worst != nil:
		return condition(v1alpha1.ConditionReady, metav1.ConditionFalse, worst.Reason, worst.text())
	case state == v1alpha1.NodePaused:
		return fine(v1alpha1.ConditionReady, v1alpha1.ReasonPaused)
	case state == v1alpha1.NodePlanned:
		return fine(v1alpha1.ConditionReady, v1alpha1.ReasonPlanned)
	case anyProfile(s, wish.Releasing):
		return fine(v1alpha1.ConditionReady, v1alpha1.ReasonReleasing)
	case len(s.Profiles) == 0 && s.Run.Input == nil:
		return fine(v1alpha1.ConditionReady, v1alpha1.ReasonNoProfile)
	default:
		return fine(v1alpha1.ConditionReady, v1alpha1.ReasonAllApplied)
	}
}

// section is about one kind of settings. It is False also for what is not required.
func section(s *Situation, c *collection, t string) metav1.Condition {
	if t == v1alpha1.ConditionBootReady {
		return bootReady(s.Run.Boot)
	}
	if s.Refused != nil && !disabled(s) && implemented(t) {
		why := c.byKey[hostKey]
		return condition(t, metav1.ConditionUnknown, why.Reason, why.text())
	}
	if f := c.failsIn(t); f != nil {
		return condition(t, metav1.ConditionFalse, f.Reason, f.text())
	}
	if f, noted := c.notes[t]; noted {
		return condition(t, metav1.ConditionTrue, f.Reason, f.text())
	}
	if !c.managed[t] {
		return fine(t, v1alpha1.ReasonNotManaged)
	}
	if t == v1alpha1.ConditionFirewalldReady {
		return fine(t, s.Firewalld.reason())
	}
	return fine(t, v1alpha1.ReasonAllApplied)
}

// implemented reports whether a run says anything about a section.
func implemented(t string) bool {
	for _, s := range stageSections {
		if s == t {
			return true
		}
	}
	return false
}

func fine(t string, r v1alpha1.Reason) metav1.Condition {
	info, _ := v1alpha1.LookUpReason(r)
	return condition(t, metav1.ConditionTrue, r, info.Meaning)
}

func condition(t string, s metav1.ConditionStatus, r v1alpha1.Reason, message string) metav1.Condition {
	return metav1.Condition{Type: t, Status: s, Reason: string(r), Message: cut(message, v1alpha1.MaxMessageLength)}
}

func nodeConditions(own []metav1.Condition) []NodeCondition {
	var out []NodeCondition
	for _, pair := range onNode {
		for _, c := range own {
			if c.Type == pair.own {
				out = append(out, NodeCondition{pair.node, c.Status, v1alpha1.Reason(c.Reason), c.Message})
			}
		}
	}
	return out
}
