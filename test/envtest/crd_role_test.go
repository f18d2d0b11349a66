package envtest_test

import (
	"slices"
	"strings"
	"testing"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const agentUser = "system:serviceaccount:" + agentNamespace + ":" + agentName

// Who changes the role changes this list too, and says why to the reviewer.
func TestRoleOfTheAgentIsExactlyThis(t *testing.T) {
	want := []string{
		"create hostprofilestatuses.hostprofile.io",                                      // before the first report
		"get customresourcedefinitions.apiextensions.k8s.io hostprofiles.hostprofile.io", // is a profile gone, or its kind?
		"get hostprofiles.hostprofile.io",
		"get nodes",
		"list hostprofiles.hostprofile.io",
		"list hostprofilestatuses.hostprofile.io", // its own, by field selector, which RBAC cannot ask for
		"list nodes", // its own, likewise
		"patch hostprofilestatuses.hostprofile.io",
		"patch nodes/status", // its conditions, by server-side apply
		"watch hostprofiles.hostprofile.io",
		"watch hostprofilestatuses.hostprofile.io",
		"watch nodes",
	}
	if have := grants(agentRole(t)); !slices.Equal(have, want) {
		t.Errorf("the role is\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// What must never be in the role, whatever the list above says.
func TestRoleOfTheAgentHoldsNothingThatTakesOverACluster(t *testing.T) {
	for _, grant := range grants(agentRole(t)) {
		for _, never := range []string{"*", "delete", "update", "escalate", "bind", "impersonate", "secrets", "pods", "serviceaccounts",
			"webhook", "nodes/proxy", "clusterrole", "create nodes", "create hostprofiles.", "patch hostprofiles.", "patch nodes ", "token"} {
			if strings.Contains(grant+" ", never) {
				t.Errorf("%s: %s", never, grant)
			}
		}
	}
}

func TestAPIServerLetsTheAgentDoItsWorkAndNothingElse(t *testing.T) {
	installAgentRole(t)
	for _, c := range []struct {
		verb, group, resource, name string
		allowed                     bool
	}{
		{"watch", "hostprofile.io", "hostprofiles", "", true},
		{"patch", "hostprofile.io", "hostprofilestatuses", "node-17", true},
		{"create", "hostprofile.io", "hostprofilestatuses", "", true},
		{"watch", "hostprofile.io", "hostprofilestatuses", "node-17", true},
		{"get", "apiextensions.k8s.io", "customresourcedefinitions", v1alpha1.CRDName, true},
		{"watch", "", "nodes", "node-17", true},
		{"patch", "", "nodes/status", "node-17", true},

		{"patch", "", "nodes", "node-17", false},
		{"update", "", "nodes/status", "node-17", false},
		{"delete", "", "nodes", "node-17", false},
		{"get", "", "nodes/proxy", "node-17", false},
		{"patch", "hostprofile.io", "hostprofiles", "site", false},
		{"create", "hostprofile.io", "hostprofiles", "", false},
		{"delete", "hostprofile.io", "hostprofiles", "site", false},
		{"delete", "hostprofile.io", "hostprofilestatuses", "node-17", false},
		{"get", "apiextensions.k8s.io", "customresourcedefinitions", "nodes.example.org", false},
		{"list", "apiextensions.k8s.io", "customresourcedefinitions", "", false},
		{"get", "", "secrets", "a", false},
		{"list", "", "pods", "", false},
		{"create", "", "serviceaccounts/token", agentName, false},
		{"get", "admissionregistration.k8s.io", "mutatingwebhookconfigurations", "", false},
	} {
		resource, subresource, _ := strings.Cut(c.resource, "/")
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: agentUser,
			ResourceAttributes: &authorizationv1.ResourceAttributes{Verb: c.verb, Group: c.group, Resource: resource, Subresource: subresource, Name: c.name}}}
		if err := admin(t).Create(t.Context(), review); err != nil {
			t.Fatal(err)
		}
		if review.Status.Allowed != c.allowed {
			t.Errorf("%s %s.%s %s: allowed is %t", c.verb, c.resource, c.group, c.name, review.Status.Allowed)
		}
	}
}

// With its role alone, the agent can publish: a report of its own, and conditions next to
// those of the kubelet.
func TestAgentPublishesWithItsRoleAlone(t *testing.T) {
	installAgentRole(t)
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "role-node"}}
	create(t, admin(t), node)
	agent := agentClient(t)

	status := apply(t, agent, statusOf(node.Name, v1alpha1.NodeReady, v1alpha1.ReasonAllApplied))
	t.Cleanup(func() { kubectlAfter(t, "delete", "hps", status.Name) })
	conditions := client.RawPatch(types.ApplyPatchType, []byte(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"role-node"},"status":{"conditions":[{"type":"HostProfileReady","status":"True","reason":"AllApplied"}]}}`))
	if err := agent.Status().Patch(t.Context(), node.DeepCopy(), conditions, client.FieldOwner(agentName)); err != nil {
		t.Error(err)
	}
	labels := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"labels":{"a":"b"}}}`))
	if err := agent.Patch(t.Context(), node.DeepCopy(), labels); !apierrors.IsForbidden(err) {
		t.Errorf("labelling its node: %v", err)
	}
}

// installAgentRole applies all of config/daemonset; nothing runs it here.
func installAgentRole(t *testing.T) {
	t.Helper()
	kubectl(t, "apply", "-k", kustomization(t, "daemonset"))
}

func agentClient(t *testing.T) client.Client {
	t.Helper()
	config := rest.CopyConfig(plane(t).Config)
	config.Impersonate = rest.ImpersonationConfig{UserName: agentUser}
	agent, err := client.New(config, client.Options{Scheme: scheme(t)})
	if err != nil {
		t.Fatal(err)
	}
	return agent
}

func agentRole(t *testing.T) *rbacv1.ClusterRole {
	t.Helper()
	role := &rbacv1.ClusterRole{}
	if err := yaml.UnmarshalStrict(readFile(t, "config/daemonset/role.yaml"), role); err != nil {
		t.Fatal(err)
	}
	if role.Name != agentName || role.AggregationRule != nil {
		t.Fatalf("not the role of the agent: %v", role)
	}
	return role
}

// grants lists what a role allows, one verb and resource at a time: "get nodes".
func grants(role *rbacv1.ClusterRole) []string {
	var list []string
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			for _, url := range rule.NonResourceURLs {
				list = append(list, verb+" "+url)
			}
			for _, resource := range rule.Resources {
				list = append(list, named(verb, resource, rule)...)
			}
		}
	}
	slices.Sort(list)
	return list
}

func named(verb, resource string, rule rbacv1.PolicyRule) []string {
	var list []string
	for _, group := range rule.APIGroups {
		grant := strings.TrimSuffix(verb+" "+resource+"."+group, ".")
		if len(rule.ResourceNames) == 0 {
			list = append(list, grant)
		}
		for _, name := range rule.ResourceNames {
			list = append(list, grant+" "+name)
		}
	}
	return list
}
