package cluster

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"

	"github.com/go-logr/logr"
)

// source lists and watches objects of one kind, and tells about failures.
type source struct {
	client   dynamic.ResourceInterface
	selector string // of fields
	what     string
	complain *complaints
	before   func(context.Context) // is called before every list
}

func (s *source) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if s.before != nil && o.Continue == "" {
		s.before(ctx)
	}
	o.FieldSelector = s.selector
	list, err := s.client.List(ctx, o)
	if err != nil {
		s.complain.about("list "+s.what, err)
		return nil, err
	}
	return list, nil
}

func (s *source) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	o.FieldSelector = s.selector
	w, err := s.client.Watch(ctx, o)
	if err != nil {
		s.complain.about("watch "+s.what, err)
	}
	return w, err
}

// listFirst makes a reflector list before it watches: what is known has to begin with a
// list that is complete.
type listFirst struct{ *cache.ListWatch }

// IsWatchListSemanticsUnSupported is what reflectors ask.
func (listFirst) IsWatchListSemanticsUnSupported() bool { return true }

// reflect keeps a store as the server has it, until ctx ends.
func (s *source) reflect(ctx context.Context, store cache.ReflectorStore) {
	log := logr.Discard()
	from := listFirst{&cache.ListWatch{ListWithContextFunc: s.list, WatchFuncWithContext: s.watch}}
	cache.NewReflectorWithOptions(from, &unstructured.Unstructured{}, store, cache.ReflectorOptions{
		Logger: &log, Name: s.what,
		Backoff: &wait.Backoff{Duration: 400 * time.Millisecond, Factor: 2, Jitter: 0.5, Steps: 20, Cap: 20 * time.Second},
	}).RunWithContext(ctx)
}

// one is the store of a reflector: each change is one call.
type one struct {
	put     func(*unstructured.Unstructured)
	drop    func(*unstructured.Unstructured)
	replace func([]*unstructured.Unstructured)
}

// Add implements cache.ReflectorStore.
func (o one) Add(obj any) error { return o.Update(obj) }

// Update implements cache.ReflectorStore.
func (o one) Update(obj any) error {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		o.put(u)
	}
	return nil
}

// Delete implements cache.ReflectorStore.
func (o one) Delete(obj any) error {
	if u, ok := obj.(*unstructured.Unstructured); ok {
		o.drop(u)
	}
	return nil
}

// Replace implements cache.ReflectorStore.
func (o one) Replace(list []any, _ string) error {
	var all []*unstructured.Unstructured
	for _, obj := range list {
		if u, ok := obj.(*unstructured.Unstructured); ok {
			all = append(all, u)
		}
	}
	o.replace(all)
	return nil
}

// Resync implements cache.ReflectorStore.
func (o one) Resync() error { return nil }
