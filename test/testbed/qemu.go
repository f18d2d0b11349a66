package testbed

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

const loopback = "127.0.0.1"

// Outside is the address in a VM behind which are the ports of VMOptions.Reach.
const Outside = "10.0.2.100"

// qemu is one life of a VM, from power-on to power-off.
type qemu struct {
	process *process
	port    string // of this machine's loopback, forwarded to the guest's sshd
	end     context.CancelFunc
}

// startQEMU powers the VM on. QEMU never resets the machine itself: a reset in
// software emulation stalls for as long as the guest had been up.
func startQEMU(ctx context.Context, vm *VM) (*qemu, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	q := &qemu{port: port, end: end}
	cmd := exec.CommandContext(life, qemuProgram, qemuArgs(vm, port)...)
	cmd.ExtraFiles = vm.disks
	if q.process, err = startProcess(life, vm.cell, cmd); err != nil {
		end()
		return nil, err
	}
	return q, nil
}

const (
	qemuProgram  = "qemu-system-x86_64"
	relayProgram = "socat"
)

func qemuArgs(vm *VM, port string) []string {
	args := append(baseArgs(vm.accel, vm.image),
		"-smp", strconv.Itoa(processors(vm.accel)), "-m", strconv.Itoa(vm.options.Memory),
		"-netdev", netdev(port, vm.options.Reach),
		"-device", "virtio-net-pci,netdev=net0,romfile=",
		"-device", "virtio-rng-pci",
		"-append", strings.Join(kernelArgs(vm), " "))
	for i := range vm.disks {
		// The first file that a program inherits here is its number 3. A cut
		// power does not stop this machine, so what the guest flushed is safe
		// in its page cache.
		drive := fmt.Sprintf("if=none,id=disk%d,format=raw,cache=unsafe,discard=unmap,file=/proc/self/fd/%d", i, 3+i)
		args = append(args, "-drive", drive, "-device", fmt.Sprintf("nvme,drive=disk%d,serial=disk%d", i, i))
	}
	return args
}

// processors is how many a VM has. In software emulation it has one: with two, a kernel that
// patches its own code, as at the load of a module, has been seen to stay in it for ever on
// one of them ("soft lockup"), about once in a hundred boots.
func processors(a accelerator) int {
	if a == kvm {
		return 2
	}
	return 1
}

// netdev is a network with nobody on it but the guest: this machine comes in at the
// guest's sshd, and the guest gets out to the ports of reach. There QEMU starts one
// program for each connection; its own way of connecting has room for a single one.
func netdev(sshPort string, reach []int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "user,id=net0,ipv6=off,restrict=on,hostfwd=tcp:%s:%s-:22", loopback, sshPort)
	for _, port := range reach {
		fmt.Fprintf(&b, ",guestfwd=tcp:%s:%d-cmd:%s STDIO TCP:%s:%d", Outside, port, relayProgram, loopback, port)
	}
	return b.String()
}

// baseArgs are the arguments with which the kernel runs at all.
func baseArgs(accel accelerator, i *image) []string {
	args := []string{
		"-machine", "q35", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
		"-serial", "stdio", "-kernel", i.path(kernelFile),
	}
	return append(args, accel.args()...)
}

func kernelArgs(vm *VM) []string {
	args := []string{
		"root=/dev/nvme0n1", "rw", "console=ttyS0", "panic=-1", "net.ifnames=0", "systemd.machine_id=" + vm.id,
		// What only costs time in software emulation.
		"mitigations=off", "cryptomgr.notests", "no_timer_check", "8250.nr_uarts=1",
		"rcupdate.rcu_expedited=1",
	}
	args = append(args, vm.variant().kernel...)
	if vm.options.SwapDisk == 0 {
		args = append(args, "systemd.swap=0")
	}
	return append(args, strings.Fields(vm.options.CommandLine)...)
}

// freePort is a port of the loopback that was free a moment ago.
func freePort() (string, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer func() { _ = listener.Close() }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	return port, err
}

// runs reports whether the VM has not gone down yet.
func (q *qemu) runs() bool { return !isClosed(q.process.ended) }

func (q *qemu) kill() {
	q.end()
	<-q.process.ended
}

// waitFor waits until the guest has printed word. It gives up when ctx is done
// or QEMU has ended.
func (q *qemu) waitFor(ctx context.Context, word string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-q.process.ended:
			cancel(fmt.Errorf("the VM went down while it was starting (QEMU's status %d)", q.process.result.ExitCode))
		case <-ctx.Done():
		}
	}()
	return q.process.both.waitFor(ctx, word)
}

// waitForEnd waits until the guest has powered itself off or asked for a reset.
func (q *qemu) waitForEnd(ctx context.Context) error {
	select {
	case <-q.process.ended:
	case <-ctx.Done():
		return fmt.Errorf("wait for the shutdown: %w", context.Cause(ctx))
	}
	if result := q.process.result; result.ExitCode != 0 {
		return fmt.Errorf("QEMU ended with status %d: %s", result.ExitCode, tail(result.Stderr, 2000))
	}
	return nil
}

// openKernelDevice reports whether this machine offers KVM at all.
func openKernelDevice() bool {
	f, err := os.OpenFile("/dev/kvm", os.O_RDWR, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}
