package testbed

import (
	"fmt"
	"testing"
	"time"
)

func TestTmp(t *testing.T) {
	trim := ""
	for _, u := range []string{"modprobe@dm_mod.service", "modprobe@loop.service", "modprobe@drm.service", "modprobe@efi_pstore.service", "systemd-binfmt.service", "proc-sys-fs-binfmt_misc.automount", "systemd-pstore.service", "systemd-update-utmp.service", "systemd-update-utmp-runlevel.service"} {
		trim += " systemd.mask=" + u
	}
	for range 2 {
		for _, line := range []string{"", "rcupdate.rcu_expedited=1", "systemd.mask=firewalld.service", "audit=0 cryptomgr.notests random.trust_cpu=1 no_timer_check 8250.nr_uarts=1 rcupdate.rcu_expedited=1" + trim} {
			start := time.Now()
			vm, err := NewVM(t.Context(), VMOptions{CommandLine: line})
			up := time.Since(start)
			if err == nil {
				q := vm.qemu.process
				vm.Stop(t.Context())
				fmt.Println(up, q.cmd.ProcessState.UserTime(), q.cmd.ProcessState.SystemTime(), line)
			} else {
				fmt.Println(line, "failed", err)
			}
		}
	}
}
