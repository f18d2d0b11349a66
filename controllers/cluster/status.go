package cluster

import (
	"context"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// ownStatus is the HostProfileStatus of this node as it was heard of last.
type ownStatus struct {
	known   bool
	version version
	report  *v1alpha1.HostReport // nil if there is none
	owners  []metav1.OwnerReference
}

func (c *Cluster) watchStatus(ctx context.Context, a *api) {
	s := &source{
		client: a.dynamic.Resource(statusResource), selector: "metadata.name=" + a.node,
		what: "the HostProfileStatus", complain: c.complain,
	}
	s.reflect(ctx, one{
		put:     func(u *unstructured.Unstructured) { c.setStatus(readStatus(u)) },
		drop:    func(*unstructured.Unstructured) { c.setStatus(ownStatus{known: true}) },
		replace: func(list []*unstructured.Unstructured) { c.setStatus(only(list, readStatus, ownStatus{known: true})) },
	})
}

// readStatus takes an object that cannot be read for an empty one, to be written anew.
func readStatus(u *unstructured.Unstructured) ownStatus {
	s := ownStatus{known: true, version: versionOf(u), report: &v1alpha1.HostReport{}, owners: u.GetOwnerReferences()}
	var object v1alpha1.HostProfileStatus
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &object); err == nil {
		s.report = &object.Status
	}
	return s
}

// setStatus takes in what was heard, unless it is older than what is known.
func (c *Cluster) setStatus(s ownStatus) {
	c.mu.Lock()
	if s.report != nil && c.own.report != nil && s.version.before(c.own.version) {
		c.mu.Unlock()
		return
	}
	first := !c.own.known
	c.own = s
	c.mu.Unlock()
	ring(c.publish)
	if first {
		c.options.Changed()
	}
}

// ownedBy reports whether the object goes away with the present Node, and with nothing
// else.
func (s *ownStatus) ownedBy(node string) bool {
	return len(s.owners) == 1 && s.owners[0].UID == types.UID(node)
}

// version is a resource version. Those of one object are numbers that grow.
type version uint64

func versionOf(u *unstructured.Unstructured) version {
	n, err := strconv.ParseUint(u.GetResourceVersion(), 10, 64)
	if err != nil {
		return 0
	}
	return version(n)
}

func (v version) before(o version) bool { return v != 0 && v < o }
