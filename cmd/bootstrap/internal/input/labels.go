package input

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Labels is the value of --node-labels. Nil means that nobody said anything, which is not
// the same as no labels. It implements pflag.Value.
type Labels map[string]string

// String implements pflag.Value.
func (l *Labels) String() string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(*l)) {
		out = append(out, k+"="+(*l)[k])
	}
	return strings.Join(out, ",")
}

// Type implements pflag.Value.
func (l *Labels) Type() string { return "KEY=VALUE,..." }

// Set implements pflag.Value. Given twice, the flag adds.
func (l *Labels) Set(text string) error {
	if *l == nil {
		*l = Labels{}
	}
	for _, part := range strings.Split(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			return fmt.Errorf("%q is no label: write KEY=VALUE", part)
		}
		wrong := append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...)
		if len(wrong) > 0 {
			return fmt.Errorf("%q is no label: %s", part, wrong[0])
		}
		(*l)[key] = value
	}
	return nil
}
