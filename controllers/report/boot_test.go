package report

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

func TestTheNextBootIsReportedOf(t *testing.T) {
	for _, c := range []struct {
		boot   *hostops.Boot
		status metav1.ConditionStatus
		reason v1alpha1.Reason
	}{
		{nil, metav1.ConditionTrue, v1alpha1.ReasonNotManaged},
		{&hostops.Boot{Systemd: true, State: machine.UnitEnabled}, metav1.ConditionTrue, v1alpha1.ReasonAllApplied},
		{&hostops.Boot{Systemd: true, State: machine.UnitAbsent}, metav1.ConditionFalse, v1alpha1.ReasonNoBootUnit},
		{&hostops.Boot{Systemd: true, State: machine.UnitDisabled}, metav1.ConditionFalse, v1alpha1.ReasonNoBootUnit},
		{&hostops.Boot{Systemd: true, State: machine.UnitMasked}, metav1.ConditionFalse, v1alpha1.ReasonUnitMasked},
		{&hostops.Boot{State: machine.UnitAbsent}, metav1.ConditionFalse, v1alpha1.ReasonNoBootUnit},
		{&hostops.Boot{Systemd: true, State: machine.UnitAbsent, Declined: true}, metav1.ConditionTrue, v1alpha1.ReasonNotManaged},
	} {
		if got := bootReady(c.boot); got.Status != c.status || got.Reason != string(c.reason) || got.Message == "" {
			t.Errorf("%+v is reported as %+v", c.boot, got)
		}
	}
}
