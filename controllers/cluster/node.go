package cluster

import (
	"context"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
)

// ownNode is the Node of this host, less all that is not ours to know.
type ownNode struct {
	known, exists bool
	wish.Node
	version    version
	conditions map[string]corev1.NodeCondition // those of our types only
}

// ourTypes are the condition types that the agent owns on its Node.
var ourTypes = map[string]bool{
	v1alpha1.NodeConditionReady: true, v1alpha1.NodeConditionSysctls: true,
	v1alpha1.NodeConditionFirewalld: true, v1alpha1.NodeConditionNodeIP: true,
}

func (c *Cluster) watchNode(ctx context.Context, a *api) {
	s := &source{
		client: a.dynamic.Resource(nodeResource), selector: "metadata.name=" + a.node,
		what: "the Node", complain: c.complain,
	}
	s.reflect(ctx, one{
		put:     func(u *unstructured.Unstructured) { c.setNode(readNode(u)) },
		drop:    func(*unstructured.Unstructured) { c.setNode(ownNode{known: true}) },
		replace: func(list []*unstructured.Unstructured) { c.setNode(only(list, readNode, ownNode{known: true})) },
	})
}

// only reads the one object that a list may have.
func only[T any](list []*unstructured.Unstructured, read func(*unstructured.Unstructured) T, none T) T {
	if len(list) != 1 {
		return none
	}
	return read(list[0])
}

func readNode(u *unstructured.Unstructured) ownNode {
	machine, _, _ := unstructured.NestedString(u.Object, "status", "nodeInfo", "machineID")
	n := ownNode{known: true, exists: true, version: versionOf(u), conditions: map[string]corev1.NodeCondition{}}
	n.Node = wish.NodeOf(string(u.GetUID()), u.GetLabels(), u.GetAnnotations(), machine)
	n.Addresses = readAddresses(u)
	all, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, one := range all {
		m, ok := one.(map[string]any)
		if t, _ := m["type"].(string); !ok || !ourTypes[t] {
			continue
		}
		var cond corev1.NodeCondition
		if err := runtime.DefaultUnstructuredConverter.FromUnstructured(m, &cond); err == nil {
			n.conditions[string(cond.Type)] = cond
		}
	}
	return n
}

// setNode takes in what was heard, unless it is older than what is known.
func (c *Cluster) setNode(n ownNode) {
	c.mu.Lock()
	if n.exists && c.node.exists && n.UID == c.node.UID && n.version.before(c.node.version) {
		c.mu.Unlock()
		return
	}
	old := c.node
	c.node = n
	c.mu.Unlock()
	if old.known != n.known || old.exists != n.exists || !reflect.DeepEqual(old.Node, n.Node) {
		c.noticed()
	} else if !equality.Semantic.DeepEqual(old.conditions, n.conditions) {
		ring(c.publish)
	}
}
