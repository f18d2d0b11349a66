package apitest

import (
	"fmt"
	"slices"
	"strings"
)

// Layer is a set of the places where a profile can be refused.
type Layer uint8

const (
	// Schema is an API server that has the CRD: its checks of metadata, the OpenAPI schema
	// and the CEL rules.
	Schema Layer = 1 << iota
	// Validate is the agent: strict decoding into the Go types, and v1alpha1.Validate.
	Validate
	// Loader is the reader of YAML files. It refuses everything that Validate refuses,
	// and what only the YAML text shows.
	Loader
)

// The combinations that occur.
const (
	// Nobody refuses an accepted profile.
	Nobody Layer = 0
	// Everybody refuses what each layer can see.
	Everybody = Schema | Validate | Loader
	// NotSchema is for what the schema cannot express, or not within its cost limit.
	NotSchema = Validate | Loader
	// NotValidate is for what the Go types cannot hold, or hold as absent.
	NotValidate = Schema | Loader
)

// Case is one profile and what becomes of it.
type Case struct {
	// Name says what the profile shows.
	Name string
	// YAML is the whole document.
	YAML string
	// RefusedBy says who refuses it.
	RefusedBy Layer
	// Field is the path of the field that is wrong. It is empty when there is none.
	Field string
	// Message is part of the message, or of the hint that goes with it.
	Message string
	// LoaderMessage stands for Message where only the YAML text shows what is wrong.
	LoaderMessage string
}

// By tells whether a layer refuses the profile.
func (c Case) By(layer Layer) bool { return c.RefusedBy&layer != 0 }

// Cases returns the whole table.
func Cases() []Case {
	return slices.Concat(goodProfiles(), profileCases(), selectorCases(), nameCases(), patternCases(), refusedNameCases(),
		valueCases(), knownValueCases(), isolationCases(), entryCases(), moduleCases(), mountsCases(), directoryCases(), selinuxCases(), firewalldCases(), yamlScalarCases(), yamlStructureCases(), nodeIPCases())
}

// document wraps a spec in a profile. Lines of the spec are indented by two.
func document(spec string) string {
	lines := strings.Split(strings.Trim(spec, "\n"), "\n")
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata:\n  name: site\nspec:\n  " + strings.Join(lines, "\n  ") + "\n"
}

// sysctls wraps entries in a profile for every node.
func sysctls(entries ...string) string {
	return document("nodeSelector: {}\nsysctls:\n- " + strings.Join(entries, "\n- "))
}

// modules wraps entries in a profile for every node.
func modules(entries ...string) string {
	return document("nodeSelector: {}\nkernelModules:\n- " + strings.Join(entries, "\n- "))
}

const (
	firstName    = "spec.sysctls[0].name"
	firstValue   = "spec.sysctls[0].value"
	firstCompare = "spec.sysctls[0].compare"
	secondName   = "spec.sysctls[1].name"
)

// refusedName is a profile whose only sysctl has a bad name, which everybody refuses.
func refusedName(why, name string, message string) Case {
	return Case{Name: why, YAML: sysctls(fmt.Sprintf("{name: %q, value: 1}", name)), RefusedBy: Everybody, Field: firstName, Message: message}
}

// goodName is a profile whose only sysctl has a name that is fine.
func goodName(why, name string) Case {
	return Case{Name: why, YAML: sysctls(fmt.Sprintf("{name: %q, value: 1}", name))}
}

// refusedValue is a profile whose only sysctl has a bad value, given as YAML.
func refusedValue(why, name, value string, by Layer, message string) Case {
	return Case{Name: why, YAML: sysctls(fmt.Sprintf("{name: %s, value: %s}", name, value)), RefusedBy: by, Field: firstValue, Message: message}
}

// goodValue is a profile whose only sysctl has a value that is fine, given as YAML.
func goodValue(why, name, value string) Case {
	return Case{Name: why, YAML: sysctls(fmt.Sprintf("{name: %s, value: %s}", name, value))}
}
