package agent_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const overcommit = "sysctl/vm.overcommit_memory"

// warned returns what is said of a setting, nil if nothing is.
func (w *world) warned(key string) *v1alpha1.Exception {
	for i, e := range w.server.published.Status.Exceptions {
		if e.Key == key {
			return &w.server.published.Status.Exceptions[i]
		}
	}
	return nil
}

// TestAKubeletThatWillNotStartAgainIsToldBeforehand: everything is as profiles wish, and the
// node is lost with the next restart of its kubelet.
func TestAKubeletThatWillNotStartAgainIsToldBeforehand(t *testing.T) {
	const against = `site "sysctls":[{"name":"vm.overcommit_memory","value":2},{"name":"vm.panic_on_oom","value":0},{"name":"kernel.panic","value":10},` +
		`{"name":"kernel.panic_on_oops","value":1},{"name":"kernel.keys.root_maxkeys","value":1000000},{"name":"kernel.keys.root_maxbytes","value":25000000}]`
	w := newWorld(t)
	w.have(against).state(v1alpha1.NodeReady)
	if e := w.warned(overcommit); e != nil {
		t.Errorf("without protectKernelDefaults: %+v", e)
	}
	w.host.PutFile("/var/lib/kubelet/config.yaml", "protectKernelDefaults: true\n")
	w.step().state(v1alpha1.NodeReady).is("vm/overcommit_memory", "2")
	e := w.warned(overcommit)
	if e == nil || e.Reason != v1alpha1.ReasonKubeletWillFailAtRestart || e.Severity != v1alpha1.SeverityWarning || e.Profile != "site" || e.Have != "2" || e.Want != "1" ||
		!strings.Contains(e.Message, "/var/lib/kubelet/config.yaml:1") {
		t.Errorf("%+v in %+v", e, w.server.published.Status.Exceptions)
	}
	found := false
	for _, c := range w.server.published.Node {
		found = found || c.Type == v1alpha1.NodeConditionSysctls && c.Reason == v1alpha1.ReasonKubeletWillFailAtRestart && c.Status == "True"
	}
	if !found {
		t.Errorf("the conditions of the Node are %+v", w.server.published.Node)
	}
	w.have(strings.Replace(against, `memory","value":2`, `memory","value":1`, 1))
	if e := w.warned(overcommit); e != nil {
		t.Errorf("after the profile was mended: %+v", e)
	}
}

// TestASettingThatNobodyNamesIsToldAsWell: only the profile for it mends that.
func TestASettingThatNobodyNamesIsToldAsWell(t *testing.T) {
	w := newWorld(t)
	w.host.PutFile("/var/lib/kubelet/config.yaml", "protectKernelDefaults: true\n")
	w.have(site("10"))
	if e := w.warned(overcommit); e == nil || e.Profile != "" || !strings.Contains(e.Message, "add the profile kubelet-defaults") {
		t.Errorf("%+v in %+v", e, w.server.published.Status.Exceptions)
	}
}
