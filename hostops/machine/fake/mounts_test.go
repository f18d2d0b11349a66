package fake_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestTheFakesMountsKeepTheContract(t *testing.T) {
	contract.RunMounts(t, func(*testing.T) contract.MountWorld {
		h := fake.New()
		h.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true}, fake.Mount{Path: "/sys", Filesystem: "sysfs", Entries: true})
		return mountWorld{h}
	})
}

type mountWorld struct{ *fake.Host }

func (w mountWorld) MountNew(kind, path string) {
	w.SetMounts(append(w.Mounts(), fake.Mount{Path: path, Filesystem: kind})...)
}

func (w mountWorld) Enslave(shared bool) {
	list := w.Mounts()
	list[0].Slave, list[0].Shared = true, shared
	w.SetMounts(list...)
}

var _ machine.Mounts = (*fake.Process)(nil)
