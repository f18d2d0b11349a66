package envtest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

const (
	agentNamespace = "hostprofile-system"
	agentName      = "hostprofile-agent"
)

func TestEveryManifestIsAcceptedByTheAPIServer(t *testing.T) {
	kubectl(t, "apply", "-f", filepath.Join(kustomization(t, "daemonset"), "namespace.yaml")) // others are tried in it
	for _, name := range []string{"crd", "daemonset", "profiles", "profiles/plan"} {
		rendered := kubectl(t, "kustomize", kustomization(t, name))
		for _, how := range [][]string{nil, {"--server-side", "--force-conflicts"}} {
			args := append([]string{"apply", "--dry-run=server", "--validate=strict", "-f", "-"}, how...)
			out := kubectlWith(t, rendered, args...)
			if have, want := strings.Count(out, "(server dry run)"), strings.Count(rendered, "\nkind: "); have != want {
				t.Errorf("%s: %d of %d objects were tried:\n%s", name, have, want, out)
			}
		}
	}
	kubectl(t, "apply", "--dry-run=server", "--validate=strict", "-f", kustomization(t, "samples"))
}

// What a DaemonSet says about its pods is looked at only when there are some.
func TestPodOfTheAgentIsAdmittedInItsNamespace(t *testing.T) {
	kubectl(t, "apply", "-f", filepath.Join(kustomization(t, "daemonset"), "namespace.yaml"))
	template := agentDaemonSet(t).Spec.Template
	pod := &corev1.Pod{ObjectMeta: *template.ObjectMeta.DeepCopy(), Spec: template.Spec}
	pod.Name, pod.Namespace = "agent", agentNamespace
	pod.Spec.NodeName = "node-17" // as the DaemonSet controller arranges
	if err := admin(t).Create(t.Context(), pod, client.DryRunAll); err != nil {
		t.Error(err)
	}
}

func TestDaemonSetRunsTheAgentOnEveryLinuxNode(t *testing.T) {
	set := agentDaemonSet(t)
	pod := set.Spec.Template.Spec
	if !slices.Contains(pod.Tolerations, corev1.Toleration{Operator: corev1.TolerationOpExists}) {
		t.Errorf("it does not tolerate every taint: %v", pod.Tolerations)
	}
	if len(pod.NodeSelector) != 1 || pod.NodeSelector[corev1.LabelOSStable] != "linux" || pod.Affinity != nil {
		t.Errorf("it is for %v", pod.NodeSelector)
	}
	if pod.ServiceAccountName != agentName || set.Namespace != agentNamespace {
		t.Errorf("it runs as %s in %s", pod.ServiceAccountName, set.Namespace)
	}
	agent := pod.Containers[0]
	if len(pod.Containers) != 1 || len(pod.InitContainers) != 0 || !slices.Equal(agent.Args, []string{"agent"}) {
		t.Errorf("it runs %v", pod.Containers)
	}
	node := agent.Env[0]
	if node.Name != "NODE_NAME" || node.ValueFrom.FieldRef.FieldPath != "spec.nodeName" {
		t.Errorf("it does not know its node: %v", agent.Env)
	}
	if agent.Resources.Requests.Cpu().IsZero() || agent.Resources.Requests.Memory().IsZero() || agent.Resources.Limits.Memory().IsZero() {
		t.Errorf("its resources are %v", agent.Resources)
	}
}

// Without the host's namespaces the pod would set its own net, kernel.shm* and fs.mqueue
// settings, and find another PID 1.
func TestPodOfTheAgentSharesTheNamespacesAndTheFilesOfTheHost(t *testing.T) {
	pod := agentDaemonSet(t).Spec.Template.Spec
	agent := pod.Containers[0]
	if !pod.HostNetwork || !pod.HostPID || !pod.HostIPC || !*agent.SecurityContext.Privileged {
		t.Errorf("network %t, PID %t, IPC %t, privileged %t", pod.HostNetwork, pod.HostPID, pod.HostIPC, *agent.SecurityContext.Privileged)
	}
	if len(pod.Volumes) != 1 || pod.Volumes[0].HostPath == nil || pod.Volumes[0].HostPath.Path != "/" {
		t.Fatalf("the volumes are %v", pod.Volumes)
	}
	mount := agent.VolumeMounts[0]
	if len(agent.VolumeMounts) != 1 || mount.MountPath != "/host" || mount.SubPath != "" || mount.ReadOnly ||
		mount.MountPropagation == nil || *mount.MountPropagation != corev1.MountPropagationHostToContainer {
		t.Errorf("the mounts are %v", agent.VolumeMounts)
	}
}

// On the host's network, whatever does not listen on loopback is open to the world; and an
// agent without an API server does its work and must not be restarted for it.
func TestPodOfTheAgentIsLookedAtOnLoopbackAndNeverRestarted(t *testing.T) {
	agent := agentDaemonSet(t).Spec.Template.Spec.Containers[0]
	if ready := agent.ReadinessProbe; ready == nil || ready.HTTPGet.Host != "127.0.0.1" {
		t.Errorf("readiness is asked of %v", ready)
	}
	if agent.LivenessProbe != nil || agent.StartupProbe != nil || len(agent.Ports) != 0 {
		t.Errorf("liveness %v, startup %v, ports %v", agent.LivenessProbe, agent.StartupProbe, agent.Ports)
	}
}

func TestReadinessIsAskedWhereTheAgentAnswers(t *testing.T) {
	probe := agentDaemonSet(t).Spec.Template.Spec.Containers[0].ReadinessProbe.HTTPGet
	text := string(readFile(t, "cmd/manager/tree.go")) // a program, and no package to import
	if want := fmt.Sprintf(`healthAddress  = "%s:%s"`, probe.Host, probe.Port.String()); !strings.Contains(text, want) {
		t.Errorf("the agent does not have %s", want)
	}
	if !strings.Contains(string(readFile(t, "cmd/manager/agent.go")), `"GET `+probe.Path+`"`) {
		t.Errorf("the agent does not answer %s", probe.Path)
	}
}

func TestSelectorOfTheDaemonSetMatchesItsPods(t *testing.T) {
	set := agentDaemonSet(t)
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	if err != nil || selector.Empty() || !selector.Matches(labels.Set(set.Spec.Template.Labels)) {
		t.Errorf("%v selects %v: %v", selector, set.Spec.Template.Labels, err)
	}
}

func agentDaemonSet(t *testing.T) *appsv1.DaemonSet {
	t.Helper()
	set := &appsv1.DaemonSet{}
	if err := yaml.UnmarshalStrict(readFile(t, "config/daemonset/daemonset.yaml"), set); err != nil {
		t.Fatal(err)
	}
	return set
}

// kubectlAfter runs kubectl when the test is over.
func kubectlAfter(t *testing.T, args ...string) {
	t.Helper()
	if _, err := plane(t).Kubectl(context.Background(), "", args...); err != nil {
		t.Error(err)
	}
}
