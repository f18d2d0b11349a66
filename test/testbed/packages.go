package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// Kind is a kind of host.
type Kind string

// The kinds of host that the testbed can make.
const (
	ContainerKind Kind = "container"
	VMKind        Kind = "vm"
	// SELinuxKind is a virtual machine with SELinux on, permissive, and all its files
	// labelled. The policy is Debian's.
	SELinuxKind Kind = "vm-selinux"
	// SysVinitKind and OpenRCKind are virtual machines without systemd.
	SysVinitKind Kind = "vm-sysvinit"
	OpenRCKind   Kind = "vm-openrc"
)

// Kinds are all kinds of host.
func Kinds() []Kind {
	return []Kind{ContainerKind, VMKind, SELinuxKind, SysVinitKind, OpenRCKind}
}

// need is a program of this machine and the Debian package that has it.
type need struct{ program, pkg string }

func needs(kind Kind) []need {
	common := []need{
		{"mmdebstrap", "mmdebstrap"},
		{"dpkg-deb", "dpkg"},
		{"mount", "mount"},
		{"env", "coreutils"},
	}
	if kind == ContainerKind {
		return append(common, need{"systemd-nspawn", "systemd-container"}, need{"nsenter", "util-linux"})
	}
	return append(common, need{qemuProgram, "qemu-system-x86"}, need{relayProgram, "socat"},
		need{"mkfs.ext4", "e2fsprogs"}, need{"mkswap", "util-linux"}, need{"depmod", "kmod"})
}

// Missing is what keeps this machine from making hosts of a kind, as an error
// that names it, or nil.
func Missing(kind Kind) error {
	if runtime.GOARCH != "amd64" {
		return errors.New("needs an amd64 machine")
	}
	if err := needRoot(); err != nil {
		return err
	}
	for _, n := range needs(kind) {
		if _, err := exec.LookPath(n.program); err != nil {
			return fmt.Errorf("needs %s (run: go run ./hack/testbed images %s)", n.program, kind)
		}
	}
	return nil
}

// Packages installs the Debian packages of this machine that the kinds need and
// that are missing, and says on w what it does. Without root it only names them.
func Packages(ctx context.Context, w io.Writer, kinds ...Kind) error {
	missing := missingPackages(kinds)
	if len(missing) == 0 {
		return nil
	}
	names := strings.Join(missing, " ")
	if err := needRoot(); err != nil {
		return fmt.Errorf("missing packages (run as root: apt-get install %s)", names)
	}
	p := progress{w: w, name: "packages"}
	if err := p.step("refreshing the package lists", func() error { return aptGet(ctx, "update") }); err != nil {
		return err
	}
	return p.step("installing "+names, func() error {
		return aptGet(ctx, append([]string{"install", "--yes", "--no-install-recommends"}, missing...)...)
	})
}

// needRoot explains why a caller without root cannot go on.
func needRoot() error {
	if os.Geteuid() != 0 {
		return errors.New("needs root")
	}
	return nil
}

func missingPackages(kinds []Kind) []string {
	var missing []string
	for _, kind := range kinds {
		for _, n := range needs(kind) {
			if _, err := exec.LookPath(n.program); err != nil {
				missing = append(missing, n.pkg)
			}
		}
	}
	slices.Sort(missing)
	return slices.Compact(missing)
}

func aptGet(ctx context.Context, args ...string) error {
	_, err := tool(ctx, append([]string{"apt-get", "--option", "DPkg::Lock::Timeout=300"}, args...)...)
	return err
}
