package trace

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// becomeArgument tells a process that it is about to become a program that is watched.
const becomeArgument = "-become-the-watched-program"

// Become is the first thing that the process of a test does: what Program starts is this
// process's own executable, which asks the kernel to stop it at the calls in question, and
// goes on as the program. In any other process it returns.
func Become() {
	if len(os.Args) < 3 || os.Args[1] != becomeArgument {
		return
	}
	runtime.LockOSThread()
	err := install(filter())
	if err == nil {
		err = unix.Exec(os.Args[2], os.Args[2:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "become", os.Args[2], err)
	os.Exit(126)
}

// install gives the calling thread, and what it becomes, a filter.
func install(rules []unix.SockFilter) error {
	program := unix.SockFprog{Len: uint16(len(rules)), Filter: &rules[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// Places in struct seccomp_data.
const (
	placeNr   = 0
	placeArch = 4
	placeArgs = 16
)

// filter stops at every call that is not known to change nothing.
func filter() []unix.SockFilter {
	const allow, stop, kill = unix.SECCOMP_RET_ALLOW, unix.SECCOMP_RET_TRACE, unix.SECCOMP_RET_KILL_PROCESS
	rules := []unix.SockFilter{load(placeArch), skipUnless(unix.BPF_JEQ, arch, 2), load(placeNr), jump(1), answerWith(kill)}
	for _, nr := range quiet {
		if !slices.Contains(told, nr) {
			rules = append(rules, skipUnless(unix.BPF_JEQ, uint32(nr), 1), answerWith(allow))
		}
	}
	for nr, s := range changing {
		if s.flags != none { // opens that make nothing are many
			rules = append(rules, skipUnless(unix.BPF_JEQ, uint32(nr), 4),
				load(placeArgs+8*uint32(s.flags)), skipUnless(unix.BPF_JSET, making, 1), answerWith(stop), answerWith(allow))
		}
	}
	return append(rules, answerWith(stop))
}

// told are calls that change nothing and are looked at all the same.
var told = []uint64{syscall.SYS_EXIT_GROUP}

func load(place uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: place}
}

// skipUnless leaves out the next rules unless the test holds.
func skipUnless(test uint16, value uint32, rules uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: value, Jf: rules}
}

func jump(rules uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: rules}
}

func answerWith(value uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: value}
}
