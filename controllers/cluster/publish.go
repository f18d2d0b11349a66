package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// How long to wait after a write that failed: at first, and at most.
const (
	firstRetry = 500 * time.Millisecond
	lastRetry  = 30 * time.Second
)

// publisher writes what is wanted, and remembers what the server made of it: a server
// that stores something else is not asked again and again.
type publisher struct {
	*Cluster
	api       *api
	wrote     *report.Report // what was last written
	stored    *v1alpha1.HostReport
	onNode    map[string]corev1.NodeCondition
	numbersAt time.Time // when numbers alone were last published
	nodeWrote []report.NodeCondition
	// The status and the Node are written each at its own pace.
	statusPace, nodePace pace
}

func (c *Cluster) publishing(ctx context.Context, a *api) {
	p := &publisher{Cluster: c, api: a, statusPace: newPace(), nodePace: newPace()}
	retry := firstRetry
	var later <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.publish:
		case <-later:
		}
		later = nil
		wait, err := p.once(ctx)
		if err == nil {
			retry = firstRetry
			if wait > 0 {
				later = time.After(wait)
			}
			continue
		}
		if ctx.Err() != nil {
			return
		}
		c.complain.about("publish", err)
		if !keep.Pause(ctx, retry/2+rand.N(retry)) {
			return
		}
		retry = min(2*retry, lastRetry)
		ring(c.publish)
	}
}

// once publishes what is not published yet, the one also where the other cannot be written.
// It returns when something that waits is due.
func (p *publisher) once(ctx context.Context) (wait time.Duration, err error) {
	p.mu.Lock()
	want, node, own := p.want, p.node, p.own
	p.mu.Unlock()
	if want == nil || !node.known || !node.exists || !own.known {
		return 0, nil
	}
	wait, err = p.status(ctx, want, &node, &own)
	nodeWait, nodeErr := p.conditions(ctx, want, &node)
	return sooner(wait, nodeWait), errors.Join(err, nodeErr)
}

// status writes the HostProfileStatus if it says something else.
func (p *publisher) status(ctx context.Context, want *report.Report, node *ownNode, own *ownStatus) (time.Duration, error) {
	r := want.Status.DeepCopy()
	report.Carry(r, own.report, time.Now())
	if own.report != nil && own.ownedBy(node.UID) {
		if report.Same(r, own.report) || p.storedAsWritten(want, own) {
			return 0, nil
		}
		if left := time.Until(report.NumbersDue(p.numbersAt)); left > 0 && report.OnlyNumbers(r, own.report) {
			return left, nil
		}
	}
	if left := p.statusPace.due(); left > 0 {
		return left, nil
	}
	text, err := json.Marshal(statusObject(p.api.node, node.UID, r))
	if err != nil {
		return 0, fmt.Errorf("encode the status: %w", err)
	}
	answer, err := p.api.apply(ctx, statusPath+p.api.node, text)
	if err != nil {
		return 0, fmt.Errorf("write the HostProfileStatus: %w", err)
	}
	var u unstructured.Unstructured
	if err := u.UnmarshalJSON(answer); err != nil {
		return 0, fmt.Errorf("read the written HostProfileStatus: %w", err)
	}
	p.statusPace.wrote()
	stored := readStatus(&u)
	p.wrote, p.stored = want, stored.report
	if own.report != nil && report.OnlyNumbers(r, own.report) {
		p.numbersAt = time.Now()
	}
	p.setStatus(stored)
	return 0, nil
}

// storedAsWritten reports whether the server has what it made of this very report.
func (p *publisher) storedAsWritten(want *report.Report, own *ownStatus) bool {
	return p.wrote != nil && report.Same(&p.wrote.Status, &want.Status) && report.Same(p.stored, own.report)
}

func statusObject(name, node string, r *v1alpha1.HostReport) *v1alpha1.HostProfileStatus {
	return &v1alpha1.HostProfileStatus{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.StatusKind},
		ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: []metav1.OwnerReference{
			{APIVersion: "v1", Kind: "Node", Name: name, UID: types.UID(node)},
		}},
		Status: *r,
	}
}

// conditions writes our conditions on the Node if they say something else, and takes
// them away if there are to be none.
func (p *publisher) conditions(ctx context.Context, want *report.Report, node *ownNode) (time.Duration, error) {
	if onNodeSame(want.Node, node.conditions) {
		return 0, nil
	}
	if p.onNode != nil && equality.Semantic.DeepEqual(p.nodeWrote, want.Node) && equality.Semantic.DeepEqual(p.onNode, node.conditions) {
		return 0, nil // it is somebody else who keeps them otherwise
	}
	if left := p.nodePace.due(); left > 0 {
		return left, nil
	}
	text, err := json.Marshal(nodeObject(p.api.node, want.Node, node.conditions))
	if err != nil {
		return 0, fmt.Errorf("encode the conditions: %w", err)
	}
	answer, err := p.api.apply(ctx, nodesPath+p.api.node+"/status", text)
	if err != nil {
		return 0, fmt.Errorf("write the conditions on the Node: %w", err)
	}
	var u unstructured.Unstructured
	if err := u.UnmarshalJSON(answer); err != nil {
		return 0, fmt.Errorf("read the written Node: %w", err)
	}
	p.nodePace.wrote()
	stored := readNode(&u)
	p.nodeWrote, p.onNode = want.Node, stored.conditions
	p.setNode(stored)
	return 0, nil
}

func onNodeSame(want []report.NodeCondition, have map[string]corev1.NodeCondition) bool {
	if len(want) != len(have) {
		return false
	}
	for _, w := range want {
		h, there := have[w.Type]
		if !there || string(h.Status) != string(w.Status) || h.Reason != string(w.Reason) || h.Message != w.Message {
			return false
		}
	}
	return true
}

// nodeObject is all that we own of a Node. A heartbeat is when the status changed: what
// is written again without a change costs everybody who watches Nodes.
func nodeObject(name string, want []report.NodeCondition, have map[string]corev1.NodeCondition) map[string]any {
	list := []any{}
	for _, w := range want {
		at := metav1.NewTime(time.Now().Truncate(time.Second))
		if h, there := have[w.Type]; there && string(h.Status) == string(w.Status) {
			at = h.LastTransitionTime
		}
		list = append(list, map[string]any{
			"type": w.Type, "status": string(w.Status), "reason": string(w.Reason), "message": w.Message,
			"lastTransitionTime": at, "lastHeartbeatTime": at,
		})
	}
	object := map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": name}}
	if len(list) > 0 {
		object["status"] = map[string]any{"conditions": list}
	}
	return object
}
