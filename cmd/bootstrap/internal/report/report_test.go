package report_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/report"
	"github.com/hostprofile/hostprofile/hostops/item"
)

func TestWhatAResultMeans(t *testing.T) {
	tests := []struct {
		name   string
		result item.Result
		want   report.Class
	}{
		{"changed", item.Result{Outcome: item.Changed}, report.Change},
		{"right", item.Result{Outcome: item.Right}, report.Right},
		{"recorded", item.Result{Outcome: item.Adopted}, report.Right},
		{"failed", item.Result{Outcome: item.Failed, Reason: "InvalidValue", Required: true}, report.Failure},
		{"failed without a reason", item.Result{Outcome: item.Failed}, report.Failure},
		{"failed where it may be missing", item.Result{Outcome: item.Failed, Reason: "InvalidValue"}, report.Failure},
		{"a boot file on a read-only /etc", item.Result{Outcome: item.Failed, Reason: "ReadOnlyEtc"}, report.Warning},
		{"no such key", item.Result{Outcome: item.Unseen, Reason: "KeyNotFound", Message: "no", Required: true}, report.Failure},
		{"not seen and not required", item.Result{Outcome: item.Unseen, Reason: "PermissionDenied", Message: "no"}, report.Warning},
		{"an interface that may come", item.Result{Outcome: item.Unseen, Reason: "InterfaceAbsent", Message: "no", Required: true}, report.Waiting},
		{"known after a module", item.Result{Outcome: item.Unseen, Message: "known after br_netfilter is loaded", Required: true}, report.Unknown},
		{"a reason of a later version", item.Result{Outcome: item.Failed, Reason: "SomethingNew"}, report.Failure},
		{"a module stays loaded", item.Result{Key: "kmod/overlay", Outcome: item.Left, Have: item.Text("loaded")}, report.Return},
		{"changed by others", item.Result{Key: "sysctl/a.b", Outcome: item.Left, Have: item.Text("1")}, report.Left},
		{"gone with its interface", item.Result{Key: "sysctl/net.ipv4.conf.lxc1.rp_filter", Outcome: item.Released, Have: item.Absent}, report.Skipped},
		{"given back as it is", item.Result{Key: "sysctl/a.b", Outcome: item.Released, Have: item.Text("1")}, report.Return},
		{"skipped", item.Result{Outcome: item.Skipped}, report.Skipped},
		{"held", item.Result{Outcome: item.Kept}, report.Held},
	}
	for _, tt := range tests {
		if got := report.ClassOf(&tt.result); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func wishing(profile string, names ...string) v1alpha1.HostProfile {
	p := v1alpha1.HostProfile{}
	p.Name = profile
	for _, n := range names {
		p.Spec.Sysctls = append(p.Spec.Sysctls, v1alpha1.Sysctl{Name: n})
	}
	return p
}

func changed(key item.Key, profile, have string) item.Result {
	return item.Result{Key: key, Outcome: item.Changed, Have: item.Text(have), Want: item.Text("0"), Source: item.Source{Profile: profile}}
}

func TestResultsOfAPatternAreOneLine(t *testing.T) {
	profiles := []v1alpha1.HostProfile{
		wishing("cilium", "net.ipv4.conf.lxc*.rp_filter", "net.ipv4.conf.lxc9.rp_filter", "net.ipv4.conf.*.rp_filter"),
		wishing("site", "net.ipv4.conf.eth?.rp_filter"),
	}
	r := item.Report{Stages: []item.StageReport{{Stage: "sysctls", Results: []item.Result{
		changed("sysctl/net.ipv4.conf.lxc1.rp_filter", "cilium", "2"),
		changed("sysctl/net.ipv4.conf.lxc2.rp_filter", "cilium", "2"),
		changed("sysctl/net.ipv4.conf.lxc3.rp_filter", "cilium", "1"),
		changed("sysctl/net.ipv4.conf.lxc9.rp_filter", "cilium", "2"),
		changed("sysctl/net.ipv4.conf.eth0/5.rp_filter", "cilium", "2"),
		changed("sysctl/net.ipv4.conf.bond0/5.rp_filter", "cilium", "2"),
		changed("sysctl/net.ipv4.conf.eth1.rp_filter", "site", "2"),
		changed("sysctl/vm.swappiness", "site", "2"),
	}}}}
	want := []struct {
		name  string
		links int
	}{
		{"net.ipv4.conf.lxc*.rp_filter", 2},
		{"net.ipv4.conf.lxc3.rp_filter", 1}, // another value: a line of its own
		{"net.ipv4.conf.lxc9.rp_filter", 0}, // named by itself
		{"net.ipv4.conf.*.rp_filter", 2},
		{"net.ipv4.conf.eth1.rp_filter", 1},
		{"vm.swappiness", 0},
	}
	got := report.Fold(&r, profiles)
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		if got[i].Name != w.name || got[i].Links != w.links {
			t.Errorf("line %d: %s on %d links, want %s on %d", i, got[i].Name, got[i].Links, w.name, w.links)
		}
	}
}

func TestAStageThatStoppedIsAFailure(t *testing.T) {
	r := item.Report{Stages: []item.StageReport{{Stage: "sysctls", Err: errNoSpace}}}
	if c := report.Count(&r); c.Failed != 1 {
		t.Errorf("%+v", c)
	}
	d := report.OfRun("up", report.View{Host: "h"}, &r)
	if d.ExitCode != 1 || len(d.Errors) != 1 || d.Errors[0].Object != "stage/sysctls" {
		t.Errorf("%+v", d)
	}
}

type text string

func (t text) Error() string { return string(t) }

const errNoSpace = text("write the ledger: no space left")
