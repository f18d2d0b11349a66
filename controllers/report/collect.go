package report

import (
	"cmp"
	"errors"
	"slices"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
)

// finding is one thing that is not as it should be, or will not stay so.
type finding struct {
	v1alpha1.Exception
	section string // the condition that it is about; empty for the host as a whole
	// fails: it does not hold now.
	fails bool
	// required: the node is not ready while it fails.
	required bool
}

// collection is what was found in a situation.
type collection struct {
	findings []finding // the worst first, one a key
	counts   v1alpha1.ItemCounts
	right    int             // as wanted, held ones included
	managed  map[string]bool // the sections that somebody wishes something of
	byKey    map[string]*finding
	live     map[item.Key]item.State
	notes    map[string]finding // of sections that hold, and are worth a look
}

func collect(s *Situation) *collection {
	c := &collection{managed: map[string]bool{}, byKey: map[string]*finding{}, live: map[item.Key]item.State{}}
	if s.Removed || disabled(s) {
		return c
	}
	c.manage(s)
	c.addRefusal(s.Refused)
	c.addProfiles(s.Profiles)
	contended := fightsByKey(s.Fights)
	for i := range s.Run.Report.Stages {
		c.addStage(&s.Run.Report.Stages[i], s.Run.Report.DryRun, contended)
	}
	c.addNodeIP(s)
	c.addConflicts(s.Run.Conflicts)
	c.addOverrides(s.Overrides)
	c.addKubelet(s)
	c.addReload(&s.Firewalld)
	c.addManaged(s.Firewalld.Managed)
	for _, f := range c.byKey {
		c.findings = append(c.findings, *f)
	}
	slices.SortFunc(c.findings, worse)
	return c
}

// manage notes the sections that are wished something of, also where the host has nothing
// that the wish is about: no swap area, no interface of a pattern.
func (c *collection) manage(s *Situation) {
	note := func(spec *v1alpha1.HostProfileSpec) {
		for section, some := range map[string]bool{
			v1alpha1.ConditionSysctlsReady:     len(spec.Sysctls) > 0,
			v1alpha1.ConditionModulesReady:     len(spec.KernelModules) > 0,
			v1alpha1.ConditionSwapReady:        spec.Swap == v1alpha1.SwapDisabled,
			v1alpha1.ConditionMountsReady:      spec.Mounts.IsManaged(),
			v1alpha1.ConditionDirectoriesReady: len(spec.Directories) > 0,
			v1alpha1.ConditionSELinuxReady:     spec.SELinux == v1alpha1.SELinuxManage,
			v1alpha1.ConditionFirewalldReady:   spec.Firewalld != nil && len(spec.Firewalld.TrustedInterfaces) > 0,
			v1alpha1.ConditionNodeIPReady:      spec.NodeIP != nil,
		} {
			c.managed[section] = c.managed[section] || some
		}
	}
	for i := range s.Accepted {
		note(&s.Accepted[i].Profile.Spec)
	}
	if s.Run.Input != nil {
		for i := range s.Run.Input.Profiles {
			note(&s.Run.Input.Profiles[i].Spec)
		}
	}
}

// add keeps the worse of two findings of one key, with the file that the other names.
func (c *collection) add(f finding) {
	f.bound()
	old := c.byKey[f.Key]
	if old == nil {
		c.byKey[f.Key] = &f
		return
	}
	if worse(f, *old) < 0 {
		f.Source = cmp.Or(f.Source, old.Source)
		f.Have, f.Want = cmp.Or(f.Have, old.Have), cmp.Or(f.Want, old.Want)
		f.fails, f.required = f.fails || old.fails, f.required || old.required
		c.byKey[f.Key] = &f
		return
	}
	old.Source = cmp.Or(old.Source, f.Source)
}

// note tells a finding in the condition of its section, where nothing fails.
func (c *collection) note(f finding) {
	f.bound()
	if c.notes == nil {
		c.notes = map[string]finding{}
	}
	c.notes[f.section] = f
}

// worse orders findings: what fails and is required first, then by severity, then what
// is about the host or a profile before single settings, then by key.
func worse(a, b finding) int {
	return cmp.Or(
		cmp.Compare(severityRank(a.Severity), severityRank(b.Severity)),
		cmp.Compare(bit(!a.fails), bit(!b.fails)),
		cmp.Compare(bit(a.section != ""), bit(b.section != "")),
		cmp.Compare(bit(a.Reason != v1alpha1.ReasonConflict), bit(b.Reason != v1alpha1.ReasonConflict)),
		cmp.Compare(a.Key, b.Key),
	)
}

func severityRank(s v1alpha1.Severity) int {
	return slices.Index([]v1alpha1.Severity{v1alpha1.SeverityError, v1alpha1.SeverityWarning, v1alpha1.SeverityState}, s)
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// failsRequired returns the worst finding that keeps the node from being ready.
func (c *collection) failsRequired() *finding {
	for i := range c.findings {
		if f := &c.findings[i]; f.fails && f.required {
			return f
		}
	}
	return nil
}

// failsIn returns the worst finding that fails in a section.
func (c *collection) failsIn(section string) *finding {
	for i := range c.findings {
		if f := &c.findings[i]; f.fails && f.section == section && f.Severity != v1alpha1.SeverityState {
			return f
		}
	}
	return nil
}

// reasonOf returns the reason that an error brings along, or the given one.
func reasonOf(err error, otherwise v1alpha1.Reason) v1alpha1.Reason {
	var e *item.Error
	if errors.As(err, &e) && e.Reason != "" {
		return v1alpha1.Reason(e.Reason)
	}
	return otherwise
}
