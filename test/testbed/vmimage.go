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

func vmRecipe(kind Kind, v variant, root recipe) recipe {
	return recipe{
		name: string(kind),
		key:  key(append([]string{recipeVersion, root.key, diskSize, fmt.Sprint(v.files), fmt.Sprint(v.links)}, v.extras()...)...),
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
			b := vmBuild{variant: v, root: from.path("tree"), layer: layer, dir: dir}
			return errors.Join(b.run(ctx, p), os.RemoveAll(layer))
		},
	}
}

// vmBuild makes the image in dir: the root file system below, and over it a
// layer with what only a virtual machine has.
type vmBuild struct {
	variant
	root, layer, dir string
}

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
	for path, content := range b.files {
		if err := b.write(path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	for path, content := range b.more {
		before, err := os.ReadFile(filepath.Join(b.root, path))
		if err != nil {
			return err
		}
		if err := b.write(path, append(before, content...), 0o644); err != nil {
			return err
		}
	}
	for path, target := range b.links {
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
	if b.labelled {
		if tree, err = b.label(ctx, c, tree); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(tree) }()
	}
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
