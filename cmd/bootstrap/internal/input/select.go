package input

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/profile"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

func asInput(err error, wrong *profile.InputErrors) bool { return errors.As(err, wrong) }

// cause is what is wrong with a file, without its name.
func cause(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

// For returns the profiles of the input that are meant for a node, lowest priority first,
// so that the order of the command line leaves no trace. None at all is a mistake: an
// empty wish would give back all that is in force.
func For(in *profile.Input, node profile.Node) ([]v1alpha1.HostProfile, error) {
	selected, err := in.Select(node)
	if err != nil {
		return nil, err
	}
	if len(selected) == 0 {
		return nil, nobody(in)
	}
	slices.SortFunc(selected, func(a, b v1alpha1.HostProfile) int {
		return cmp.Or(cmp.Compare(a.Spec.Priority, b.Spec.Priority), cmp.Compare(a.Name, b.Name))
	})
	if wrong := Conflicts(in, selected); len(wrong) > 0 {
		return nil, wrong
	}
	return selected, nil
}

func nobody(in *profile.Input) profile.InputErrors {
	var wrong profile.InputErrors
	for _, p := range in.Profiles() {
		wrong = append(wrong, profile.InputError{
			Reason: "NotSelected", Object: v1alpha1.Kind + "/" + p.Name, Field: "spec.nodeSelector",
			Message: "does not select this host, and nothing else is given",
			Hint:    "correct --node-labels; to give back what is in force, run bootstrap down",
		})
	}
	return in.Locate(wrong)
}

// Conflicts are the settings that two profiles of one priority want differently, one
// mistake for each profile.
func Conflicts(in *profile.Input, selected []v1alpha1.HostProfile) profile.InputErrors {
	var wrong profile.InputErrors
	for _, c := range profile.Compile(selected).Conflicts {
		for i, name := range c.Profiles {
			wrong = append(wrong, profile.InputError{
				Reason: v1alpha1.ReasonConflict, Object: v1alpha1.Kind + "/" + name,
				Field: fieldOf(selected, name, c.Key), BadValue: c.Values[i],
				Message: fmt.Sprintf("wants %s for %s, and %s; both have priority %d", c.Values[i], nameOf(c.Key), others(c, i), c.Priority),
				Hint:    "give one of them a higher spec.priority",
			})
		}
	}
	return in.Locate(wrong)
}

func others(c profile.Conflict, but int) string {
	var out []string
	for i, name := range c.Profiles {
		if i != but {
			out = append(out, fmt.Sprintf("%s wants %s", name, c.Values[i]))
		}
	}
	return strings.Join(out, ", ")
}

// nameOf is what a conflict is about.
func nameOf(k item.Key) string {
	if k == nodeip.SectionKey {
		return "the address of the node"
	}
	return k.Name()
}

// fieldOf returns the path of the field in which a profile wishes for a key.
func fieldOf(all []v1alpha1.HostProfile, name string, k item.Key) string {
	for i := range all {
		if all[i].Name != name {
			continue
		}
		for j, s := range all[i].Spec.Sysctls {
			if n, err := sysctl.ParseName(s.Name); err == nil && sysctl.Key(n) == k {
				return fmt.Sprintf("spec.sysctls[%d]", j)
			}
		}
	}
	if k == nodeip.SectionKey {
		return "spec.nodeIP"
	}
	return "spec." + string(k.Kind())
}
