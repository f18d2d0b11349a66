package testbed

import (
	"fmt"
	"testing"
	"time"
)

func TestSmokeBoots(t *testing.T) {
	for _, line := range []string{"", "systemd.mask=firewalld.service", "systemd.mask=modprobe@dm_mod.service systemd.mask=modprobe@loop.service systemd.mask=modprobe@drm.service systemd.mask=modprobe@efi_pstore.service systemd.mask=modprobe@fuse.service systemd.mask=sys-fs-fuse-connections.mount", "quiet", "8250.nr_uarts=1", "systemd.mask=systemd-udev-trigger.service"} {
		start := time.Now()
		ctx := t.Context()
		vm, err := NewVM(ctx, VMOptions{CommandLine: line})
		up := time.Since(start)
		if err == nil {
			q := vm.qemu.process
			vm.Stop(t.Context())
			fmt.Println(up, q.cmd.ProcessState.UserTime(), q.cmd.ProcessState.SystemTime(), line)
		} else {
			fmt.Println(line, "failed")
		}
	}
}
