package profiles_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

func load(t *testing.T, name string) v1alpha1.HostProfile {
	t.Helper()
	builtin, found := profiles.Get(name)
	if !found {
		t.Fatalf("no profile is called %s", name)
	}
	loaded, err := profile.Load(name+".yaml", bytes.NewReader(builtin.YAML))
	if err != nil || len(loaded) != 1 {
		t.Fatalf("%d profiles, %v", len(loaded), err)
	}
	return loaded[0]
}

func TestEveryBuiltinProfileIsValidAndForEveryNodeAndBelowTheUsersOwn(t *testing.T) {
	var before int32 = -1 << 31
	for _, builtin := range profiles.All() {
		p := load(t, builtin.Name)
		if p.Name != builtin.Name || builtin.Summary == "" {
			t.Errorf("%s holds %s", builtin.Name, p.Name)
		}
		if p.Spec.Priority >= 0 || p.Spec.Priority <= before {
			t.Errorf("%s has priority %d after %d", p.Name, p.Spec.Priority, before)
		}
		before = p.Spec.Priority
		if s := p.Spec.NodeSelector; len(s.MatchLabels)+len(s.MatchExpressions) > 0 {
			t.Errorf("%s selects %v", p.Name, s)
		}
	}
}

func TestBuiltinProfilesAreFoundByNameAndAlias(t *testing.T) {
	cis, found := profiles.Get("cis")
	if !found || cis.Name != "kubelet-defaults" {
		t.Errorf("have %s", cis.Name)
	}
	if _, found := profiles.Get("calico"); found {
		t.Error("calico is found")
	}
	if have := profiles.Names(); !slices.Equal(have, []string{"kubernetes", "kubelet-defaults", "cis", "cilium"}) {
		t.Errorf("have %v", have)
	}
}

func TestKubeletDefaultsAreExactlyWhatTheKubeletChecks(t *testing.T) {
	have := map[string]string{}
	for _, sysctl := range load(t, "kubelet-defaults").Spec.Sysctls {
		have[sysctl.Name] = sysctl.Value.Canonical()
		if sysctl.Compare != "" || sysctl.IfMissing != "" {
			t.Errorf("%s: the kubelet wants the value itself, and fails without the setting", sysctl.Name)
		}
	}
	for _, want := range profile.KubeletSysctls() {
		if want.Until == "" && have[want.Name] != want.Value {
			t.Errorf("%s: have %q, the kubelet wants %q", want.Name, have[want.Name], want.Value)
		}
		delete(have, want.Name)
	}
	if len(have) > 0 {
		t.Errorf("the kubelet does not check these: %v", have)
	}
}

func TestCiliumTouchesOnlyTheInterfacesOfCilium(t *testing.T) {
	for _, sysctl := range load(t, "cilium").Spec.Sysctls {
		name, err := v1alpha1.ParseSysctlName(sysctl.Name)
		if err != nil || !name.IsPattern() {
			t.Fatalf("%s: %v", sysctl.Name, err)
		}
		for _, other := range []string{"eth0", "ens3", "enp1s0f0", "bond0", "wlan0", "docker0", "cni0", "all", "default", "lo", "virbr0"} {
			if v1alpha1.MatchInterface(name.Elements[name.Interface], other) {
				t.Errorf("%s covers %s", sysctl.Name, other)
			}
		}
	}
}

func TestInotifyLimitsOfAHostAreRaisedAndNeverLowered(t *testing.T) {
	want := map[string]string{"fs.inotify.max_user_instances": "8192", "fs.inotify.max_user_watches": "524288"}
	for _, sysctl := range load(t, "kubernetes").Spec.Sysctls {
		if value, found := want[sysctl.Name]; found && sysctl.Compare == v1alpha1.AtLeast && sysctl.Value.Text == value {
			delete(want, sysctl.Name)
		}
	}
	if len(want) > 0 {
		t.Errorf("not there, or not AtLeast: %v", want)
	}
}
