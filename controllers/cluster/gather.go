package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops/keep"
)

// gather gets evidence for as long as something is in doubt.
func (c *Cluster) gather(ctx context.Context, a *api) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.doubts:
		}
		names := c.inDoubt()
		if len(names) == 0 {
			continue
		}
		e, err := a.evidence(ctx, names)
		if err != nil {
			c.complain.about("make sure whether profiles are gone", err)
			ring(c.doubts)
		} else {
			c.mu.Lock()
			c.evidence = e
			c.mu.Unlock()
			c.options.Changed()
		}
		if !keep.Pause(ctx, c.options.Evidence) {
			return
		}
		ring(c.doubts)
	}
}

func (c *Cluster) inDoubt() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.doubtful)
}

// evidence asks the server everything anew. The CRD is looked at after the list: if it
// began to go away before, this shows.
func (a *api) evidence(ctx context.Context, doubtful []string) (*wish.Evidence, error) {
	e := &wish.Evidence{At: time.Now()}
	var err error
	if e.Profiles, err = a.list(ctx); err != nil {
		return nil, err
	}
	for _, name := range doubtful {
		if slices.ContainsFunc(e.Profiles, func(f wish.Found) bool { return f.Name == name }) {
			continue
		}
		if err := a.isGone(ctx, name); err != nil {
			return nil, err
		}
		e.Gone = append(e.Gone, name)
	}
	crd, err := a.crd(ctx)
	if err != nil {
		return nil, err
	}
	e.CRD = crd.trusted()
	e.Node, err = a.ownNode(ctx)
	return e, err
}

// list returns all HostProfiles, and an error if the answer is anything but complete.
func (a *api) list(ctx context.Context) ([]wish.Found, error) {
	text, err := a.get(ctx, profilesPath) // without a resource version: not from a cache
	if err != nil {
		return nil, fmt.Errorf("list HostProfiles: %w", err)
	}
	var l struct {
		Kind     string            `json:"kind"`
		Metadata metav1.ListMeta   `json:"metadata"`
		Items    []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, fmt.Errorf("list HostProfiles: %w", err)
	}
	if l.Kind != v1alpha1.Kind+"List" || l.Metadata.ResourceVersion == "" || l.Metadata.Continue != "" || l.Items == nil {
		return nil, errors.New("list HostProfiles: the answer is not a complete list")
	}
	var all []wish.Found
	for _, one := range l.Items {
		f, ok := wish.Read(one)
		if !ok {
			return nil, errors.New("list HostProfiles: an object of the list has no name")
		}
		all = append(all, f)
	}
	return all, nil
}

// isGone returns nil only if the server says of this very object that it is not there.
func (a *api) isGone(ctx context.Context, name string) error {
	text, err := a.get(ctx, profilesPath+"/"+name)
	switch {
	case err == nil:
		return fmt.Errorf("HostProfile %s is there, and missing from the list", name)
	case !apierrors.IsNotFound(err):
		return fmt.Errorf("get HostProfile %s: %w", name, err)
	}
	var s metav1.Status
	if json.Unmarshal(text, &s) != nil || s.Reason != metav1.StatusReasonNotFound || s.Details == nil ||
		s.Details.Name != name || s.Details.Group != v1alpha1.GroupVersion.Group || s.Details.Kind != "hostprofiles" {
		return fmt.Errorf("get HostProfile %s: the answer is about something else: %w", name, err)
	}
	return nil
}

// definition is the CRD as far as it says whether its objects can be trusted to be there.
type definition struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Status   struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

func (a *api) crd(ctx context.Context) (*definition, error) {
	text, err := a.get(ctx, crdPath)
	if apierrors.IsNotFound(err) {
		return &definition{}, nil
	}
	d := &definition{}
	if err == nil {
		err = json.Unmarshal(text, d)
	}
	if err == nil && d.Metadata.Name != v1alpha1.CRDName {
		err = errors.New("the answer is about something else")
	}
	if err != nil {
		return nil, fmt.Errorf("get the CRD of HostProfile: %w", err)
	}
	return d, nil
}

// trusted returns the uid of a CRD that is established and not being deleted.
func (d *definition) trusted() string {
	if d.Metadata.DeletionTimestamp != nil {
		return ""
	}
	for _, c := range d.Status.Conditions {
		switch {
		case c.Type == "Terminating" && c.Status == metav1.ConditionTrue:
			return ""
		case c.Type == "Established" && c.Status == metav1.ConditionTrue:
			return string(d.Metadata.UID)
		}
	}
	return ""
}

// ownNode returns the Node, nil if there is none.
func (a *api) ownNode(ctx context.Context) (*wish.Node, error) {
	text, err := a.get(ctx, nodesPath+a.node)
	if apierrors.IsNotFound(err) {
		return nil, nil // nothing is believed to be gone without a Node
	}
	var n struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	if err == nil {
		err = json.Unmarshal(text, &n)
	}
	if err == nil && n.Metadata.Name != a.node {
		err = errors.New("the answer is about something else")
	}
	if err != nil {
		return nil, fmt.Errorf("get the Node: %w", err)
	}
	node := wish.NodeOf(string(n.Metadata.UID), n.Metadata.Labels, n.Metadata.Annotations, "")
	return &node, nil
}
