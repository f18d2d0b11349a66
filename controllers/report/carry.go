package report

import (
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// numbersEvery is how often numbers alone are published.
const numbersEvery = time.Minute

// Carry gives the conditions of a report their times: that of the published one where
// the status is the same, else now.
func Carry(r, published *v1alpha1.HostReport, now time.Time) {
	for i := range r.Conditions {
		c := &r.Conditions[i]
		c.LastTransitionTime = metav1.NewTime(now.Truncate(time.Second))
		if published == nil {
			continue
		}
		for _, old := range published.Conditions {
			if old.Type == c.Type && old.Status == c.Status {
				c.LastTransitionTime = old.LastTransitionTime
			}
		}
	}
}

// Same reports whether two reports, times carried, say the same.
func Same(a, b *v1alpha1.HostReport) bool { return equality.Semantic.DeepEqual(a, b) }

// OnlyNumbers reports whether nothing but numbers differs: the drift, and how many
// settings there are, which on a node with patterns changes with each pod.
func OnlyNumbers(a, b *v1alpha1.HostReport) bool {
	c := *a
	c.Drift, c.Items, c.Summary.Applied = b.Drift, b.Items, b.Summary.Applied
	return Same(&c, b)
}

// NumbersDue returns when numbers alone may be published, given when they last were.
func NumbersDue(last time.Time) time.Time { return last.Add(numbersEvery) }
