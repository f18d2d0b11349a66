package profile

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

func fieldsOfSpec() []string { return fieldNames(reflect.TypeFor[v1alpha1.HostProfileSpec]()) }

// validate reports what is wrong with the profile beyond its form.
func (d *document) validate() {
	for _, err := range v1alpha1.Validate(&d.profile) {
		if d.isNoise(err) {
			continue
		}
		message, hint := v1alpha1.MessageAndHint(err.Detail)
		message, _, _ = strings.Cut(message, " (e.g. ") // the regular expression helps nobody
		d.report(InputError{Reason: reasonOf(err.Type), Field: err.Field, BadValue: badValue(err), Message: message, Hint: hint})
	}
}

// isNoise tells whether a complaint follows from a mistake that is reported already: the
// field could not be read, or it is missing because its name is misspelt.
func (d *document) isNoise(err *field.Error) bool {
	if err.Type == field.ErrorTypeRequired && (d.meant[err.Field] || d.unusable[child(parent(err.Field), "unmanaged")]) {
		return true
	}
	for path := err.Field; path != ""; path = parent(path) {
		if d.unusable[path] {
			return true
		}
	}
	return d.unusable[""]
}

func reasonOf(t field.ErrorType) v1alpha1.Reason {
	switch t {
	case field.ErrorTypeRequired:
		return ReasonMissingField
	case field.ErrorTypeDuplicate:
		return ReasonDuplicateName
	case field.ErrorTypeForbidden:
		return ReasonRefused
	}
	return v1alpha1.ReasonInvalidValue
}

// badValue is the value that an error is about, when it is one that people wrote.
func badValue(err *field.Error) string {
	value := reflect.ValueOf(err.BadValue)
	if value.Kind() != reflect.String {
		return ""
	}
	return value.String()
}
