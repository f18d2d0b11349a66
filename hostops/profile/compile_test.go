package profile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// specs reads profiles that a test writes as YAML, without what every one has.
func specs(t *testing.T, specs ...string) []v1alpha1.HostProfile {
	t.Helper()
	var all []v1alpha1.HostProfile
	for _, spec := range specs {
		name, rest, _ := strings.Cut(spec, ":")
		text := "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: " + name + "}\nspec: {nodeSelector: {}, " + rest + "}\n"
		got, err := profile.Load(name, strings.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
		all = append(all, got...)
	}
	return all
}

// describe prints wishes the way the tables below spell them.
func describe(c profile.Compiled) string {
	var out []string
	for _, w := range c.Desired.Wants {
		s := fmt.Sprintf("%s=%s", w.Key, w.State)
		switch {
		case w.Unmanaged:
			s = fmt.Sprintf("%s unmanaged", w.Key)
		case w.Compare == item.AtLeast:
			s = fmt.Sprintf("%s>=%s", w.Key, w.State)
		case w.Compare == item.AtMost:
			s = fmt.Sprintf("%s<=%s", w.Key, w.State)
		}
		if w.SkipMissing {
			s += "?"
		}
		out = append(out, s+" by "+w.Source.Profile)
	}
	for _, c := range c.Conflicts {
		out = append(out, fmt.Sprintf("conflict %s at %d: %s", c.Key, c.Priority, strings.Join(c.Profiles, ", ")))
	}
	return strings.Join(out, "; ")
}

func sysctls(name string, priority int, entries ...string) string {
	return fmt.Sprintf("%s: priority: %d, sysctls: [%s]", name, priority, strings.Join(entries, ", "))
}

func TestMergeRules(t *testing.T) {
	const k = "{name: vm.swappiness, value: "
	tests := []struct {
		name     string
		profiles []string
		want     string
	}{
		{"the higher priority wins", []string{sysctls("low", 1, k+"10}"), sysctls("high", 2, k+"20}")}, "sysctl/vm.swappiness=20 by high"},
		{"the same value is no conflict", []string{sysctls("b", 1, k+"10}"), sysctls("a", 1, k+"10}")}, "sysctl/vm.swappiness=10 by a"},
		{"equal priority and another value is a conflict, and the layer below decides", []string{sysctls("a", 1, k+"10}"), sysctls("b", 1, k+"20}"), sysctls("c", 0, k+"30}")},
			"sysctl/vm.swappiness=30 by c; conflict sysctl/vm.swappiness at 1: a, b"},
		{"a conflict below a wish that won is told too", []string{sysctls("a", 1, k+"10}"), sysctls("b", 1, k+"20}"), sysctls("c", 2, k+"30}")},
			"sysctl/vm.swappiness=30 by c; conflict sysctl/vm.swappiness at 1: a, b"},
		{"of two lower bounds the larger", []string{sysctls("a", 1, k+"10, compare: AtLeast}"), sysctls("b", 1, k+"20, compare: AtLeast}")}, "sysctl/vm.swappiness>=20 by b"},
		{"of two upper bounds the smaller", []string{sysctls("a", 1, k+"10, compare: AtMost}"), sysctls("b", 1, k+"20, compare: AtMost}")}, "sysctl/vm.swappiness<=10 by a"},
		{"the larger bound wins over a higher priority", []string{sysctls("a", 9, k+"10, compare: AtLeast}"), sysctls("b", 1, k+"20, compare: AtLeast}")}, "sysctl/vm.swappiness>=20 by b"},
		{"an exact value within the bound", []string{sysctls("a", 1, k+"10, compare: AtLeast}"), sysctls("b", 1, k+"20}")}, "sysctl/vm.swappiness=20 by b"},
		{"an exact value outside the bound: priority", []string{sysctls("a", 2, k+"10, compare: AtLeast}"), sysctls("b", 1, k+"5}")}, "sysctl/vm.swappiness>=10 by a"},
		{"an exact value outside the bound, at one priority", []string{sysctls("a", 1, k+"10, compare: AtLeast}"), sysctls("b", 1, k+"5}")}, "conflict sysctl/vm.swappiness at 1: a, b"},
		{"unmanaged keeps lower layers out", []string{sysctls("low", 1, k+"10}"), sysctls("high", 2, "{name: vm.swappiness, unmanaged: true}")}, "sysctl/vm.swappiness unmanaged by high"},
		{"unmanaged of a lower layer counts for nothing", []string{sysctls("low", 1, "{name: vm.swappiness, unmanaged: true}"), sysctls("high", 2, k+"10}")}, "sysctl/vm.swappiness=10 by high"},
		{"a key may be missing only if all say so", []string{sysctls("a", 1, k+"10, ifMissing: Skip}"), sysctls("b", 1, k+"10}")}, "sysctl/vm.swappiness=10 by a"},
		{"a key may be missing if all say so", []string{sysctls("a", 1, k+"10, ifMissing: Skip}"), sysctls("b", 1, k+"10, ifMissing: Skip}")}, "sysctl/vm.swappiness=10? by a"},
		{"two names of one variable are one wish", []string{sysctls("a", 1, "{name: net.ipv4.conf.all.forwarding, value: 1}"), sysctls("b", 1, "{name: net.ipv4.ip_forward, value: 0}")}, "conflict sysctl/net.ipv4.ip_forward at 1: a, b"},
		{"hexadecimal is the same value", []string{sysctls("a", 1, k+`"0x10"}`), sysctls("b", 1, k+"16}")}, "sysctl/vm.swappiness=16 by a"},
		{"among patterns the longer literal prefix comes last, then the priority", []string{
			sysctls("a", 9, `{name: "net.ipv4.conf.e*.rp_filter", value: 1}`),
			sysctls("b", 1, `{name: "net.ipv4.conf.eth*.rp_filter", value: 0}`),
			sysctls("c", 2, `{name: "net.ipv4.conf.eth?.rp_filter", value: 2}`)},
			"sysctl/net.ipv4.conf.e*.rp_filter=1 by a; sysctl/net.ipv4.conf.eth*.rp_filter=0 by b; sysctl/net.ipv4.conf.eth?.rp_filter=2 by c"},
		{"modules are a union", []string{"a: priority: 1, kernelModules: [{name: overlay}]", "b: priority: 1, kernelModules: [{name: br-netfilter}]"},
			"kmod/br_netfilter=loaded by b; kmod/overlay=loaded by a"},
		{"a module may be missing only if all say so", []string{"a: priority: 1, kernelModules: [{name: overlay}]", "b: priority: 1, kernelModules: [{name: overlay, ifMissing: Skip}]"},
			"kmod/overlay=loaded by a"},
		{"swap is one setting", []string{"a: priority: 1, swap: Disabled", "b: priority: 1, swap: Keep"}, "conflict swap/* at 1: a, b"},
		{"each mount is one setting", []string{"a: priority: 1, mounts: {bpffs: Mounted, rootPropagation: Shared}", "b: priority: 2, mounts: {bpffs: Keep}"}, "mount/bpffs unmanaged by b; mount/root-propagation=shared by a"},
		{"mounts in conflict", []string{"a: priority: 1, mounts: {bpffs: Mounted}", "b: priority: 1, mounts: {bpffs: Keep}"}, "conflict mount/bpffs at 1: a, b"},
		{"SELinux is one setting", []string{"a: priority: 1, selinux: Manage", "b: priority: 1, selinux: Keep"}, "conflict selinux/policy at 1: a, b"},
		{"keeping SELinux overrules", []string{"a: priority: 1, selinux: Manage", "b: priority: 2, selinux: Keep"}, "selinux/policy unmanaged by b"},
		{"keeping swap overrules", []string{"a: priority: 1, swap: Disabled", "b: priority: 2, swap: Keep"}, "swap/* unmanaged by b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			profiles := specs(t, tt.profiles...)
			permute(profiles, func(order []v1alpha1.HostProfile) {
				if got := describe(profile.Compile(order)); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// permute calls f with every order of a list.
func permute[T any](list []T, f func([]T)) {
	if len(list) < 2 {
		f(slices.Clone(list))
		return
	}
	for i := range list {
		rest := slices.Delete(slices.Clone(list), i, i+1)
		permute(rest, func(order []T) { f(append([]T{list[i]}, order...)) })
	}
}
