package report

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// bootReady says whether the next boots prepare the host before its kubelet. The agent
// cannot change that: it runs only once there is a kubelet.
func bootReady(b *hostops.Boot) metav1.Condition {
	const t = v1alpha1.ConditionBootReady
	if b == nil {
		return fine(t, v1alpha1.ReasonNotManaged)
	}
	switch p := b.Problem(); {
	case p != nil:
		return condition(t, metav1.ConditionFalse, v1alpha1.Reason(p.Reason), p.Message)
	case b.State != machine.UnitEnabled:
		return fine(t, v1alpha1.ReasonNotManaged)
	default:
		return fine(t, v1alpha1.ReasonAllApplied)
	}
}
