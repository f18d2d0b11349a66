package profile

import (
	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

// selinuxWishes are one: what it comes to depends on the host.
func selinuxWishes(p *v1alpha1.HostProfile) []wish {
	switch p.Spec.SELinux {
	case v1alpha1.SELinuxManage:
		return []wish{{Want: item.Want{Key: selinux.Policy, State: selinux.Installed}}}
	case v1alpha1.SELinuxKeep:
		return []wish{{Want: item.Want{Key: selinux.Policy, Unmanaged: true}}}
	default:
		return nil
	}
}
