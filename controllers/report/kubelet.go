package report

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// addKubelet tells settings with which the kubelet of the node will not start again. They are
// as profiles wish, so that nothing fails; the condition of the settings tells the first.
func (c *collection) addKubelet(s *Situation) {
	for i := range s.Kubelet {
		k := &s.Kubelet[i]
		f := finding{section: v1alpha1.ConditionSysctlsReady}
		f.Key, f.Profile, f.Have, f.Want = string(k.Key), k.Profile, k.Have, k.Want
		f.Severity, f.Reason, f.Message = v1alpha1.SeverityWarning, v1alpha1.ReasonKubeletWillFailAtRestart, withFix(k.Message, k.Fix)
		c.add(f)
		if _, noted := c.notes[f.section]; !noted {
			c.note(f)
		}
	}
}
