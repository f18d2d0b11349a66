package fake_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestTheFakesSELinuxKeepsTheContract(t *testing.T) {
	contract.RunSELinux(t, func(*testing.T) contract.SELinuxWorld {
		h := fake.New()
		h.SetSELinux(fake.SELinux{
			Mode:  machine.SELinuxPermissive,
			Types: []string{"etc_t", "bin_t", "var_t"},
			Contexts: "/.* system_u:object_r:default_t:s0\n/etc(/.*)? system_u:object_r:etc_t:s0\n" +
				"/opt/(.*/)?bin(/.*)? system_u:object_r:bin_t:s0\n/srv(/.*)? system_u:object_r:var_t:s0\n",
		})
		return selinuxWorld{h}
	})
}

type selinuxWorld struct{ *fake.Host }

func (w selinuxWorld) Chcon(path, label string)   { w.SetLabel(path, label) }
func (w selinuxWorld) LabelOf(path string) string { return w.FileLabel(path) }

var _ machine.SELinux = (*fake.Process)(nil)
