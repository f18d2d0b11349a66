package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/hostprofile/hostprofile/test/envtest/control"
	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// stage is what the story is played on.
type stage struct {
	dir           string // of the programs
	bootstrapFile string
	managerFile   string
	host          testbed.Host
	plane         *control.Plane // nil if the host cannot reach one

	site    string     // the file with the site's profile
	builtin []string   // profiles that bootstrap is given beside it
	foreign [][]string // commands with which somebody else changes what was set
}

var forwardingOff = []string{"sysctl", "-w", "net.ipv4.ip_forward=0"}

// raise sets the stage: the programs of this tree, an API server, and a host. The host is
// a container where the machine has no QEMU.
func (s *story) raise(ctx context.Context) error {
	s.say("Building bootstrap and manager")
	if err := s.build(ctx); err != nil {
		return err
	}
	s.say("Installing what the demo needs")
	err := testbed.Packages(ctx, os.Stdout, testbed.VMKind)
	if err == nil {
		return s.raiseVM(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	fmt.Println("no VM on this machine:", err)
	return s.raiseContainer(ctx)
}

func (s *story) build(ctx context.Context) (err error) {
	if s.dir, err = os.MkdirTemp("", "hostprofile-demo-"); err != nil {
		return err
	}
	if s.bootstrapFile, err = program.Build(ctx, s.dir); err != nil {
		return err
	}
	s.managerFile, err = program.BuildManager(ctx, s.dir)
	return err
}

func (s *story) raiseVM(ctx context.Context) (err error) {
	s.site, s.builtin = "config/samples/site.yaml", []string{"kubernetes", "kubelet-defaults"}
	s.foreign = [][]string{forwardingOff, {"swapon", "-a"}}
	s.say("Starting etcd and kube-apiserver on loopback (the first time they are built, which takes minutes)")
	if s.plane, err = control.Launch(ctx, os.Stdout, control.WithoutCRDs()); err != nil {
		return err
	}
	port, err := s.plane.Port()
	if err != nil {
		return err
	}
	s.say("Booting a VM: Debian, systemd, swap on, unprepared. It reaches the API server and nothing else")
	vm, err := testbed.NewVM(ctx, testbed.VMOptions{SwapDisk: 128, Reach: []int{port}, Progress: os.Stdout})
	if err == nil { // else it is a nil *VM, which is no Host
		s.host = vm
	}
	return err
}

func (s *story) raiseContainer(ctx context.Context) error {
	s.site, s.foreign = "hack/demo/container.yaml", [][]string{forwardingOff}
	s.say("Booting a container instead. It cannot show check, the cluster, modules, swap, a reboot, or sysctls outside net.*")
	if err := testbed.Packages(ctx, os.Stdout, testbed.ContainerKind); err != nil {
		return err
	}
	c, err := testbed.NewContainer(ctx, testbed.ContainerOptions{Progress: os.Stdout})
	if err == nil {
		s.host = c
	}
	return err
}

// strike removes all that raise has set. The host goes first: an API server waits for
// those who watch it.
func (s *story) strike(ctx context.Context) error {
	var problems []error
	if s.host != nil {
		problems = append(problems, s.host.Stop(ctx))
	}
	if s.plane != nil {
		problems = append(problems, s.plane.Stop())
	}
	return errors.Join(append(problems, os.RemoveAll(s.dir))...)
}

// keep leaves the stage to a person until an interrupt.
func (s *story) keep(ctx context.Context) error {
	fmt.Printf("The host is left running until you press Ctrl-C. Log in with:\n  %s\n", s.host.Login())
	if s.plane != nil {
		file, err := s.plane.Kubeconfig()
		if err != nil {
			return err
		}
		fmt.Printf("So is the API server:\n  kubectl --kubeconfig %s get hostprofile,hostprofilestatus\n", file)
	}
	<-ctx.Done()
	return nil
}
