package trace

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const arch = unix.AUDIT_ARCH_X86_64

// refuse makes the kernel leave out the call before which a thread stands, and answer it
// with an error.
func refuse(tid int, errno syscall.Errno) error {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(tid, &regs); err != nil {
		return err
	}
	regs.Orig_rax, regs.Rax = ^uint64(0), uint64(-int64(errno))
	return unix.PtraceSetRegs(tid, &regs)
}
