package testbed

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/crypto/ssh"
)

// Files of a VM's image.
const (
	kernelFile  = "vmlinuz"
	diskFile    = "disk.ext4"
	keyFile     = "id_ed25519"
	hostKeyFile = "host_key.pub"
)

const (
	vmHostname = "hostprofile-vm"
	// diskSize is what the guest sees; the file is sparse.
	diskSize = "8G"
	// readyMark is written to the console once sshd listens.
	readyMark = "hostprofile-testbed: sshd listens"
	// swapLabel marks the swap area that the guest's fstab names. It has room for
	// 15 bytes.
	swapLabel = "testbed-swap"
)

// vmFiles are the files that make a virtual machine of the root file system.
var vmFiles = map[string]string{
	"etc/hostname": vmHostname + "\n",
	"etc/hosts":    "127.0.0.1 localhost\n127.0.1.1 " + vmHostname + "\n::1 localhost\n",
	"etc/fstab":    "LABEL=" + swapLabel + " none swap sw 0 0\n",
	"etc/systemd/network/10-user.network": "[Match]\nName=eth0\n\n" +
		"[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n",
	"etc/systemd/system/ssh.service.d/testbed.conf": "[Unit]\nAfter=systemd-networkd.service\n\n" +
		"[Service]\nExecStartPost=/bin/sh -c 'echo " + readyMark + " >/dev/ttyS0'\n",
	"etc/systemd/system/systemd-udev-trigger.service.d/testbed.conf": "[Service]\nExecStart=\n" +
		"ExecStart=-udevadm trigger --type=devices --action=add --prioritized-subsystem=module,block,net" +
		" --subsystem-nomatch=tty --subsystem-nomatch=vc --subsystem-nomatch=acpi --subsystem-nomatch=mem" +
		" --subsystem-nomatch=workqueue --subsystem-nomatch=bdi --subsystem-nomatch=cpu\n",
	"etc/ssh/sshd_config.d/testbed.conf": "PermitRootLogin prohibit-password\nUsePAM no\nUseDNS no\n" +
		"PrintMotd no\nSetEnv PATH=" + guestPath + "\n",
}

// vmLinks enable the units that the root file system leaves off, and mask those
// that a virtual machine needs least: in software emulation each costs a second.
var vmLinks = map[string]string{
	"etc/systemd/system/modprobe@dm_mod.service":                          "/dev/null",
	"etc/systemd/system/modprobe@drm.service":                             "/dev/null",
	"etc/systemd/system/modprobe@efi_pstore.service":                      "/dev/null",
	"etc/systemd/system/modprobe@loop.service":                            "/dev/null",
	"etc/systemd/system/proc-sys-fs-binfmt_misc.automount":                "/dev/null",
	"etc/systemd/system/systemd-binfmt.service":                           "/dev/null",
	"etc/systemd/system/systemd-pstore.service":                           "/dev/null",
	"etc/systemd/system/systemd-update-utmp.service":                      "/dev/null",
	"etc/systemd/system/systemd-update-utmp-runlevel.service":             "/dev/null",
	"etc/systemd/system/multi-user.target.wants/ssh.service":              "/lib/systemd/system/ssh.service",
	"etc/systemd/system/multi-user.target.wants/systemd-networkd.service": "/lib/systemd/system/systemd-networkd.service",
}

func vmRecipe(root recipe) recipe {
	return recipe{
		name: string(VMKind),
		key:  key(recipeVersion, root.key, diskSize, fmt.Sprint(vmFiles), fmt.Sprint(vmLinks)),
		build: func(ctx context.Context, dir string, p progress) error {
			from, err := root.open(ctx, p)
			if err != nil {
				return err
			}
			defer func() { _ = from.Close() }()
			layer, err := os.MkdirTemp(dir, "layer-")
			if err != nil {
				return err
			}
			b := vmBuild{root: from.path("tree"), layer: layer, dir: dir}
			return errors.Join(b.run(ctx, p), os.RemoveAll(layer))
		},
	}
}

// vmBuild makes the image in dir: the root file system below, and over it a
// layer with what only a virtual machine has.
type vmBuild struct{ root, layer, dir string }

func (b vmBuild) run(ctx context.Context, p progress) error {
	for _, s := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"fetching the kernel", b.kernel},
		{"writing keys and settings", b.settings},
		{"making the disk", b.disk},
	} {
		if err := p.step(s.what, func() error { return s.do(ctx) }); err != nil {
			return err
		}
	}
	return nil
}

// kernel unpacks Debian's cloud kernel: ext4, NVMe and serial are built in, so
// the VM needs no initial RAM disk.
func (b vmBuild) kernel(ctx context.Context) error {
	unpacked, err := os.MkdirTemp(b.dir, "kernel-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(unpacked) }()
	if err := downloadKernel(ctx, unpacked); err != nil {
		return err
	}
	pkg, err := single(filepath.Join(unpacked, "*.deb"))
	if err != nil {
		return err
	}
	if _, err := tool(ctx, "dpkg-deb", "--extract", pkg, unpacked); err != nil {
		return err
	}
	return b.placeKernel(ctx, unpacked)
}

func (b vmBuild) placeKernel(ctx context.Context, unpacked string) error {
	image, err := single(filepath.Join(unpacked, "boot/vmlinuz-*"))
	if err != nil {
		return err
	}
	if err := os.Rename(image, filepath.Join(b.dir, kernelFile)); err != nil {
		return err
	}
	modules, err := single(filepath.Join(unpacked, "lib/modules/*"))
	if err != nil {
		return err
	}
	target := filepath.Join(b.layer, "usr/lib/modules", filepath.Base(modules))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if err := os.Rename(modules, target); err != nil {
		return err
	}
	_, err = tool(ctx, "depmod", "--basedir", filepath.Join(b.layer, "usr"), filepath.Base(modules))
	return err
}

func (b vmBuild) settings(context.Context) error {
	for path, content := range vmFiles {
		if err := b.write(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	for path, target := range vmLinks {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(b.layer, path)), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(target, filepath.Join(b.layer, path)); err != nil {
			return err
		}
	}
	return errors.Join(b.write("etc/machine-id", []byte(machineID()+"\n"), 0o444), b.keys())
}

// keys makes the key of root's login and copies the host's public one.
func (b vmBuild) keys() error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := ssh.MarshalPrivateKey(private, "hostprofile testbed")
	if err != nil {
		return err
	}
	login, err := ssh.NewPublicKey(public)
	if err != nil {
		return err
	}
	host, err := os.ReadFile(filepath.Join(b.root, "etc/ssh/ssh_host_ed25519_key.pub"))
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(b.dir, keyFile), pem.EncodeToMemory(block), 0o600),
		os.WriteFile(filepath.Join(b.dir, hostKeyFile), host, 0o644),
		b.write("root/.ssh/authorized_keys", ssh.MarshalAuthorizedKey(login), 0o600),
	)
}

func (b vmBuild) write(path string, content []byte, mode os.FileMode) error {
	full := filepath.Join(b.layer, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return os.WriteFile(full, content, mode)
}

// disk copies the layers into a file system, with no loop device.
func (b vmBuild) disk(ctx context.Context) error {
	tree := filepath.Join(b.dir, "tree")
	if err := os.Mkdir(tree, 0o755); err != nil {
		return err
	}
	defer func() { _ = os.Remove(tree) }()
	options := "lowerdir=" + overlayPath(b.layer) + ":" + overlayPath(b.root)
	c, err := newCell(privateMounts, func() error { return mount("overlay", tree, "overlay", 0, options) })
	if err != nil {
		return err
	}
	defer c.close()
	argv := []string{
		"mkfs.ext4", "-q", "-F", "-L", "hostprofile-root", "-O", "^resize_inode",
		"-E", "lazy_itable_init=0,assume_storage_prezeroed=1", "-m", "0", "-d", tree,
		filepath.Join(b.dir, diskFile), diskSize,
	}
	result, err := runProcess(ctx, c, exec.CommandContext(ctx, argv[0], argv[1:]...))
	return check(result, err, argv...)
}

// single is the one file that a pattern matches.
func single(pattern string) (string, error) {
	found, err := filepath.Glob(pattern)
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("expected one %s, found %d", pattern, len(found))
	}
	return found[0], nil
}
