package envtest_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const terminal = 80 // columns

// statusOf is what a node reports whose Ready is 12 minutes old.
func statusOf(node string, state v1alpha1.NodeState, reason v1alpha1.Reason) *v1alpha1.HostProfileStatus {
	ready, applied, message := metav1.ConditionTrue, "41/41", ""
	if state != v1alpha1.NodeReady {
		ready, applied, message = metav1.ConditionFalse, "40/41", "net.ipv4.conf.all.rp_filter 1, want 0"
	}
	return &v1alpha1.HostProfileStatus{
		ObjectMeta: metav1.ObjectMeta{Name: node},
		Status: v1alpha1.HostReport{
			State:   state,
			Summary: v1alpha1.Summary{Applied: applied, Version: "v0.2.0/v0.1.4", Message: message},
			Drift:   v1alpha1.Drift{Repaired: 3},
			Conditions: []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: ready, Reason: string(reason),
				LastTransitionTime: metav1.NewTime(time.Now().Add(-12 * time.Minute))}},
		},
	}
}

// labelled keeps the objects of a test apart from those of others.
func labelled(status *v1alpha1.HostProfileStatus, test string) *v1alpha1.HostProfileStatus {
	status.Labels = map[string]string{"test": test}
	return status
}

func TestGetShowsWhatIsWrongInEightyColumns(t *testing.T) {
	server := admin(t)
	create(t, server, labelled(statusOf("node-16", v1alpha1.NodeReady, v1alpha1.ReasonAllApplied), "columns"))
	create(t, server, labelled(statusOf("node-17", v1alpha1.NodeDegraded, v1alpha1.ReasonOverriddenByFile), "columns"))
	create(t, server, labelled(statusOf("node-18", v1alpha1.NodeDegraded, longestReason()), "columns"))

	table := kubectl(t, "get", "hps", "-l", "test=columns")
	t.Logf("kubectl get hps\n%s", table)
	for _, line := range strings.Split(table, "\n") {
		if width := utf8.RuneCountInString(strings.TrimRight(line, " ")); width > terminal {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	wantRow(t, table, "NAME READY APPLIED DRIFT REASON SINCE")
	wantRow(t, table, "node-16 True 41/41 3 AllApplied 12m")
	wantRow(t, table, "node-17 False 40/41 3 OverriddenByFile 12m")
	wantRow(t, table, "node-18 False 40/41 3 "+string(longestReason())+" 12m")
}

func TestGetWideAddsFirewalldVersionAndMessage(t *testing.T) {
	status := statusOf("node-wide", v1alpha1.NodeDegraded, v1alpha1.ReasonOverriddenByFile)
	status.Status.Summary.Firewalld = "Trusted"
	create(t, admin(t), labelled(status, "wide"))
	table := kubectl(t, "get", "hostprofilestatus", "-o", "wide", "-l", "test=wide")
	t.Logf("kubectl get hps -o wide\n%s", table)
	wantRow(t, table, "NAME READY APPLIED DRIFT REASON SINCE FIREWALLD VERSION MESSAGE")
	wantRow(t, table, "node-wide False 40/41 3 OverriddenByFile 12m Trusted v0.2.0/v0.1.4 net.ipv4.conf.all.rp_filter 1, want 0")
}

func TestGetShowsProfilesByTheirShortName(t *testing.T) {
	profile := profileWith("columns", v1alpha1.ModePlan)
	profile.Spec.Priority = 100
	create(t, admin(t), profile)
	table := kubectl(t, "get", "hprof", "columns")
	t.Logf("kubectl get hprof\n%s", table)
	wantRow(t, table, "NAME MODE PRIORITY AGE")
	if !strings.Contains(strings.Join(strings.Fields(table), " "), "columns Plan 100 ") {
		t.Errorf("have\n%s", table)
	}
}

func TestNodesThatAreNotReadyAreSelectedByField(t *testing.T) {
	server := admin(t)
	for node, state := range map[string]v1alpha1.NodeState{
		"selected-1": v1alpha1.NodeDegraded, "selected-2": v1alpha1.NodeReady, "selected-3": v1alpha1.NodePaused,
	} {
		create(t, server, labelled(statusOf(node, state, "Because"), "selected"))
	}
	for selector, want := range map[string]string{
		"status.state!=Ready":   "selected-1 selected-3",
		"status.state=Ready":    "selected-2",
		"status.state=Degraded": "selected-1",
	} {
		have := kubectl(t, "get", "hps", "-l", "test=selected", "--field-selector", selector, "-o", "jsonpath={.items[*].metadata.name}")
		if have != want {
			t.Errorf("%s: have %q, want %q", selector, have, want)
		}
	}
}

func TestExplainTeaches(t *testing.T) {
	for path, wants := range map[string][]string{
		"hostprofile":                           {"treat that right like root", "kubectl get hps"},
		"hostprofile.spec.nodeSelector":         {"Write {} for every node"},
		"hostprofile.spec.mode":                 {"Enforce, which is also meant when it is", "The way back is refused"},
		"hostprofile.spec.driftPolicy":          {"Repair, which is also meant when it is absent"},
		"hostprofile.spec.paused":               {"not for a repository", "changes nothing"},
		"hostprofile.spec.sysctls.name":         {"sysctl -a", "net.ipv4.conf.eth0/100.rp_filter"},
		"hostprofile.spec.sysctls.value":        {"010 as 8"},
		"hostprofilestatus":                     {"status.state!=Ready"},
		"hostprofilestatus.status.state":        {"Degraded: something required does not hold"},
		"hostprofilestatus.status.exceptions":   {"the worst first"},
		"hostprofilestatus.status.planned.hash": {"nodes with the same hash would make the same changes"},
	} {
		text := strings.Join(strings.Fields(kubectl(t, "explain", path)), " ")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("kubectl explain %s does not say %q:\n%s", path, want, text)
			}
		}
	}
}

// wantRow checks that a table has a row, whatever is between its cells.
func wantRow(t *testing.T, table, want string) {
	t.Helper()
	for _, line := range strings.Split(table, "\n") {
		if strings.Join(strings.Fields(line), " ") == want {
			return
		}
	}
	t.Errorf("no row %q in\n%s", want, table)
}

func longestReason() v1alpha1.Reason {
	var longest v1alpha1.Reason
	for _, info := range v1alpha1.Reasons() {
		if len(info.Reason) > len(longest) {
			longest = info.Reason
		}
	}
	return longest
}
