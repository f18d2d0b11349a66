package envtest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// fullStatus has every field.
func fullStatus(node string) *v1alpha1.HostProfileStatus {
	at := metav1.NewTime(time.Now().Truncate(time.Second))
	status := statusOf(node, v1alpha1.NodeDegraded, v1alpha1.ReasonOverriddenByFile)
	report := &status.Status
	report.Agent = v1alpha1.Agent{Version: "v0.2.0"}
	report.Bootstrap = &v1alpha1.Bootstrap{Version: "v0.1.4", InputHash: "sha256:9f2c", Profiles: []string{"kubernetes", "cilium"}}
	report.Facts = v1alpha1.Facts{Kernel: "6.1.0-50-amd64", OS: "Debian GNU/Linux 12", Cgroup: "v2",
		Firewalld: &v1alpha1.FirewalldFacts{State: "Running", Version: "1.3.4", Backend: "nftables", ReloadsSeen: 2}}
	report.BootID = "3f6c8a2e-0000-4000-8000-000000000000"
	report.Profiles = []v1alpha1.ProfileReport{{Name: "site-workers", Generation: 12, State: v1alpha1.ProfileDegraded}}
	report.Items = v1alpha1.ItemCounts{Total: 41, Applied: 40, Failed: 1}
	report.Exceptions = []v1alpha1.Exception{{
		Key: "sysctl/net.ipv4.conf.all.rp_filter", Severity: v1alpha1.SeverityError, Want: "0", Have: "1", Profile: "site-workers",
		Reason: v1alpha1.ReasonOverriddenByFile, Source: &v1alpha1.Source{File: "/etc/sysctl.d/zzz-site.conf", Line: 3}, Message: "remove line 3",
	}}
	report.ExceptionsOmitted = 2
	report.Planned = &v1alpha1.Planned{Hash: "sha256:11", Total: 2, Omitted: 1, Changes: []v1alpha1.PlannedChange{
		{Key: "sysctl/net.core.somaxconn", Have: "4096", Want: "65535", Profile: "net-tuning", Class: v1alpha1.ChangeTuning}}}
	report.NodeIP = &v1alpha1.NodeIPReport{Addresses: []string{"10.0.0.17", "2001:db8::17"}, Interface: "eth0", Source: "Adopted",
		Candidates: []v1alpha1.NodeIPCandidate{{Address: "198.51.100.4", Interface: "eth1", Verdict: "NoDefaultRoute"}}}
	report.Drift = v1alpha1.Drift{Repaired: 3, LastKey: "sysctl/net.ipv4.ip_forward", LastTime: &at}
	return status
}

// Labels, owner and report are one write: there is no status subresource, through which
// labels would be dropped.
func TestFullStatusIsAppliedInOneWriteAndComesBackWhole(t *testing.T) {
	server := admin(t)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "status-full"}}
	create(t, server, node)
	want := fullStatus(node.Name)
	want.Labels = map[string]string{"pool": "gpu"}
	want.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Node", Name: node.Name, UID: node.UID}}

	have := apply(t, server, want)
	t.Cleanup(func() { kubectlAfter(t, "delete", "hps", have.Name) })
	if have.ResourceVersion == "" || have.Labels["pool"] != "gpu" || have.OwnerReferences[0].UID != node.UID {
		t.Errorf("have %+v", have.ObjectMeta)
	}
	if wantJSON, haveJSON := asJSON(t, want.Status), asJSON(t, have.Status); wantJSON != haveJSON {
		t.Errorf("have %s\nwant %s", haveJSON, wantJSON)
	}
	if again := apply(t, server, want); again.ResourceVersion != have.ResourceVersion {
		t.Error("the same report was stored twice")
	}
}

// apply is what the agent does: one server-side apply, read strictly by the server.
func apply(t *testing.T, server client.Client, status *v1alpha1.HostProfileStatus) *v1alpha1.HostProfileStatus {
	t.Helper()
	status = status.DeepCopy()
	status.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(v1alpha1.StatusKind))
	patch := client.RawPatch(types.ApplyPatchType, []byte(asJSON(t, status)))
	strictly := &client.PatchOptions{Raw: &metav1.PatchOptions{FieldValidation: metav1.FieldValidationStrict}}
	if err := server.Patch(t.Context(), status, patch, client.FieldOwner("hostprofile-agent"), strictly); err != nil {
		t.Fatal(err)
	}
	return status
}

func TestStatusHasNoSubresource(t *testing.T) {
	create(t, admin(t), statusOf("status-subresource", v1alpha1.NodeReady, v1alpha1.ReasonAllApplied))
	err := restClient(t).Get().Resource("hostprofilestatuses").Name("status-subresource").SubResource("status").Do(t.Context()).Error()
	if !apierrors.IsNotFound(err) {
		t.Errorf("have %v", err)
	}
}

func TestStatusWithAsMuchAsItMaySayIsAccepted(t *testing.T) {
	status := fullStatus("status-largest")
	report := &status.Status
	report.Summary.Message = strings.Repeat("m", v1alpha1.MaxMessageLength)
	report.Exceptions = exceptions(v1alpha1.MaxExceptions)
	report.Planned.Changes = changes(v1alpha1.MaxPlannedChanges)
	for i := range v1alpha1.MaxStatusProfiles {
		report.Profiles = append(report.Profiles, v1alpha1.ProfileReport{Name: fmt.Sprintf("p%d", i), State: v1alpha1.ProfileReady})
	}
	report.Profiles = report.Profiles[1:]
	create(t, admin(t), status)
}

func TestStatusBeyondItsBoundsIsRefused(t *testing.T) {
	server := admin(t)
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, c := range map[string]struct {
		change func(*v1alpha1.HostReport)
		field  string
	}{
		"no state":                {func(r *v1alpha1.HostReport) { r.State = "" }, "status.state"},
		"an unknown state":        {func(r *v1alpha1.HostReport) { r.State = "Broken" }, "status.state"},
		"too many exceptions":     {func(r *v1alpha1.HostReport) { r.Exceptions = exceptions(v1alpha1.MaxExceptions + 1) }, "status.exceptions"},
		"one exception twice":     {func(r *v1alpha1.HostReport) { r.Exceptions = append(r.Exceptions, r.Exceptions[0]) }, "status.exceptions[1]"},
		"a severity that is fine": {func(r *v1alpha1.HostReport) { r.Exceptions[0].Severity = v1alpha1.SeverityFine }, "status.exceptions[0].severity"},
		"a reason of two words":   {func(r *v1alpha1.HostReport) { r.Exceptions[0].Reason = "Not So" }, "status.exceptions[0].reason"},
		"a wish that is long":     {func(r *v1alpha1.HostReport) { r.Exceptions[0].Want = long(v1alpha1.MaxShownValueLength + 1) }, "status.exceptions[0].want"},
		"a value that is long":    {func(r *v1alpha1.HostReport) { r.Exceptions[0].Have = long(v1alpha1.MaxShownValueLength + 1) }, "status.exceptions[0].have"},
		"a message that is long":  {func(r *v1alpha1.HostReport) { r.Exceptions[0].Message = long(v1alpha1.MaxMessageLength + 1) }, "status.exceptions[0].message"},
		"a key that is long":      {func(r *v1alpha1.HostReport) { r.Exceptions[0].Key = long(v1alpha1.MaxKeyLength + 1) }, "status.exceptions[0].key"},
		"too many changes":        {func(r *v1alpha1.HostReport) { r.Planned.Changes = changes(v1alpha1.MaxPlannedChanges + 1) }, "status.planned.changes"},
		"an unknown class":        {func(r *v1alpha1.HostReport) { r.Planned.Changes[0].Class = "Risky" }, "status.planned.changes[0].class"},
		"less than nothing":       {func(r *v1alpha1.HostReport) { r.Items.Failed = -1 }, "status.items.failed"},
		"one profile twice":       {func(r *v1alpha1.HostReport) { r.Profiles = append(r.Profiles, r.Profiles[0]) }, "status.profiles[1]"},
		"an unknown fate":         {func(r *v1alpha1.HostReport) { r.Profiles[0].State = "Broken" }, "status.profiles[0].state"},
	} {
		t.Run(name, func(t *testing.T) {
			status := fullStatus("status-refused")
			c.change(&status.Status)
			err := server.Create(t.Context(), status, client.DryRunAll)
			if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), c.field+":") {
				t.Errorf("want a refusal of %s, have %v", c.field, err)
			}
		})
	}
}

func exceptions(n int) []v1alpha1.Exception {
	list := make([]v1alpha1.Exception, n)
	for i := range list {
		list[i] = v1alpha1.Exception{Key: fmt.Sprintf("sysctl/%d", i), Severity: v1alpha1.SeverityError, Reason: v1alpha1.ReasonClamped,
			Want: strings.Repeat("w", v1alpha1.MaxShownValueLength), Message: strings.Repeat("m", v1alpha1.MaxMessageLength)}
	}
	return list
}

func changes(n int) []v1alpha1.PlannedChange {
	list := make([]v1alpha1.PlannedChange, n)
	for i := range list {
		list[i] = v1alpha1.PlannedChange{Key: fmt.Sprintf("sysctl/%d", i), Class: v1alpha1.ChangeTuning}
	}
	return list
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
