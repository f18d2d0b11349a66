package cluster

import (
	"context"
	"reflect"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/hostprofile/hostprofile/controllers/wish"
)

// profiles are the HostProfiles as they were heard of last.
type profiles struct {
	synced bool
	byName map[string]*wish.Found
	crd    string // the CRD's uid when they were listed
}

func (c *Cluster) watchProfiles(ctx context.Context, a *api) {
	var crd string
	s := &source{
		client: a.dynamic.Resource(profileResource), what: "HostProfiles", complain: c.complain,
		before: func(ctx context.Context) { crd = a.crdUID(ctx) },
	}
	s.reflect(ctx, one{
		put:     c.putProfile,
		drop:    func(u *unstructured.Unstructured) { c.dropProfile(u.GetName()) },
		replace: func(list []*unstructured.Unstructured) { c.replaceProfiles(list, crd) },
	})
}

// decode reads an object on its own, so that one that is broken harms only itself.
func decode(u *unstructured.Unstructured) (*wish.Found, bool) {
	u.SetManagedFields(nil)
	text, err := u.MarshalJSON()
	if err != nil {
		return nil, false
	}
	f, ok := wish.Read(text)
	return &f, ok
}

func (c *Cluster) putProfile(u *unstructured.Unstructured) {
	f, ok := decode(u)
	if !ok {
		return
	}
	c.mu.Lock()
	same := reflect.DeepEqual(f, c.profiles.byName[f.Name])
	c.profiles.byName[f.Name] = f
	c.mu.Unlock()
	if !same {
		c.noticed()
	}
}

func (c *Cluster) dropProfile(name string) {
	c.mu.Lock()
	delete(c.profiles.byName, name)
	c.mu.Unlock()
	c.noticed()
}

func (c *Cluster) replaceProfiles(list []*unstructured.Unstructured, crd string) {
	byName := map[string]*wish.Found{}
	for _, u := range list {
		if f, ok := decode(u); ok {
			byName[f.Name] = f
		}
	}
	c.mu.Lock()
	c.profiles = profiles{synced: true, byName: byName, crd: crd}
	c.mu.Unlock()
	c.noticed()
}
