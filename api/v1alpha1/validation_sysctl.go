package v1alpha1

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func validateSysctls(sysctls []Sysctl, path *field.Path) field.ErrorList {
	errs := tooMany(path, len(sysctls), MaxSysctls)
	seen := map[string]int{}
	for i := range min(len(sysctls), MaxSysctls) {
		item := path.Index(i)
		name, err := ParseSysctlName(sysctls[i].Name)
		if err != nil {
			errs = append(errs, invalidName(item.Child("name"), sysctls[i].Name, err.Error()))
			errs = append(errs, validateSetting(&sysctls[i], nil, item)...)
			continue
		}
		errs = append(errs, validateOnce(sysctls, i, name, seen, item.Child("name"))...)
		if why := refusal(name); why != "" {
			errs = append(errs, field.Forbidden(item.Child("name"), why))
			continue
		}
		errs = append(errs, validateSetting(&sysctls[i], &name, item)...)
	}
	return errs
}

func invalidName(path *field.Path, name, detail string) *field.Error {
	if name == "" {
		return field.Required(path, detail)
	}
	return field.Invalid(path, name, detail)
}

// validateOnce refuses a second entry for one kernel variable, also under its other name.
func validateOnce(sysctls []Sysctl, i int, name SysctlName, seen map[string]int, path *field.Path) field.ErrorList {
	canonical := name.Canonical().String()
	first, again := seen[canonical]
	if !again {
		seen[canonical] = i
		return nil
	}
	detail := fmt.Sprintf("is in spec.sysctls[%d] already; keep one of them", first)
	if sysctls[first].Name != sysctls[i].Name {
		detail = fmt.Sprintf("is the same kernel variable as %s in spec.sysctls[%d]; keep one of them", sysctls[first].Name, first)
	}
	return duplicate(path, sysctls[i].Name, detail)
}

// validateSetting checks everything but the name. A name that could not be understood is
// nil: then only what holds for every setting is checked.
func validateSetting(sysctl *Sysctl, name *SysctlName, path *field.Path) field.ErrorList {
	errs := validateWord(path.Child("compare"), sysctl.Compare)
	errs = append(errs, validateWord(path.Child("ifMissing"), sysctl.IfMissing)...)
	switch {
	case sysctl.Unmanaged:
		return append(errs, validateUnmanaged(sysctl, path)...)
	case sysctl.Value == nil:
		return append(errs, field.Required(path.Child("value"), "a sysctl needs a value; write value, or unmanaged: true to leave the setting to somebody else"))
	}
	if problem := valueProblem(*sysctl.Value, name); problem != "" {
		return append(errs, field.Invalid(path.Child("value"), sysctl.Value.Text, problem))
	}
	return append(errs, validateCompare(sysctl, name, path)...)
}

// validateUnmanaged refuses a wish next to the statement that there is none.
func validateUnmanaged(sysctl *Sysctl, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	refuse := func(present bool, name string) {
		if present {
			errs = append(errs, field.Forbidden(path.Child(name), "excludes unmanaged: true; remove one of the two"))
		}
	}
	refuse(sysctl.Value != nil, "value")
	refuse(sysctl.Compare != "", "compare")
	refuse(sysctl.IfMissing != "", "ifMissing")
	return errs
}

// valueProblem says what is wrong with the value of a setting, or nothing.
func valueProblem(value Value, name *SysctlName) string {
	if name == nil {
		return textProblem(value.Text)
	}
	shape, known := shapeOf(*name)
	hexadecimal := shape.bitmask && exponentText().MatchString(value.Text) // 1e3 is one there
	if problem := textProblem(value.Text); problem != "" && !hexadecimal {
		return problem
	}
	if known {
		if problem := shape.problem(value.Canonical()); problem != "" {
			return problem
		}
	}
	if rule, ok := isolationOf(*name); ok {
		return rule.valueProblem(value)
	}
	return ""
}

func validateCompare(sysctl *Sysctl, name *SysctlName, path *field.Path) field.ErrorList {
	if sysctl.Compare == "" || sysctl.Compare == Exact {
		return nil
	}
	path = path.Child("compare")
	if _, ok := integer(sysctl.Value.Canonical()); !ok {
		return field.ErrorList{field.Invalid(path, sysctl.Compare, "needs one integer to compare with; write Exact, or an integer as value")}
	}
	if name == nil {
		return nil
	}
	if rule, ok := isolationOf(*name); ok {
		if problem := rule.compareProblem(sysctl.Compare); problem != "" {
			return field.ErrorList{field.Invalid(path, sysctl.Compare, problem)}
		}
	}
	return nil
}
