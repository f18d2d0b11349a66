package testbed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recipeVersion is part of every image's key: raise it when the making of an
// image changes in a way that its other parts do not show.
const recipeVersion = "1"

// basePackages are in every root file system.
var basePackages = []string{
	"dbus", "e2fsprogs", "firewalld", "ipset", "iproute2", "iptables", "kmod", "mount", "nftables",
	"openssh-server", "procps", "strace", "systemd", "systemd-sysv", "udev", "util-linux",
}

// masked are units that only cost time in a host that lives for minutes.
var masked = []string{
	"apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer",
	"e2scrub_reap.service", "fstrim.timer", "systemd-tmpfiles-clean.timer", "getty.target",
	"console-getty.service", "serial-getty@ttyS0.service", "systemd-networkd-wait-online.service",
}

// rootRecipe makes the root file system from which hosts are made.
func rootRecipe(a archive, packages []string) recipe {
	packages = slices.Clone(packages)
	slices.Sort(packages)
	packages = slices.Compact(packages)
	return recipe{
		name: "root",
		key:  key(recipeVersion, a.suite, a.content, strings.Join(packages, " "), strings.Join(masked, " ")),
		build: func(ctx context.Context, dir string, p progress) error {
			tree := filepath.Join(dir, "tree")
			if err := p.step("unpacking packages", func() error { return bootstrap(ctx, a, packages, tree) }); err != nil {
				return err
			}
			return tidyRoot(tree)
		},
	}
}

// bootstrap runs mmdebstrap, in a sandbox with the machine's network: whatever a
// package's scripts mount, start or set cannot get out of it. The work is done
// in memory, which halves the time.
func bootstrap(ctx context.Context, a archive, packages []string, tree string) error {
	scratch, err := scratchFolder()
	if err != nil {
		return err
	}
	options, err := aptOptions(ctx)
	if err != nil {
		return err
	}
	work := filepath.Join(scratch, "tree")
	sandbox, err := newSandbox(ctx, scratch, SandboxOptions{SharedNetwork: true}, nothing)
	if err != nil {
		return err
	}
	for _, argv := range [][]string{
		mmdebstrap(a, packages, options, work),
		{"cp", "--archive", work, tree},
	} {
		result, err := sandbox.Run(ctx, argv...)
		if err := check(result, err, argv...); err != nil {
			return errors.Join(err, sandbox.Close())
		}
	}
	return sandbox.Close()
}

func mmdebstrap(a archive, packages, options []string, target string) []string {
	argv := []string{
		"env", "TMPDIR=" + filepath.Dir(target),
		"mmdebstrap", "--mode=root", "--variant=minbase", "--format=directory",
		"--include=" + strings.Join(packages, ","),
		"--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
		"--dpkgopt=path-exclude=/usr/share/doc/*",
	}
	for _, option := range options {
		argv = append(argv, "--aptopt="+option)
	}
	return append(append(argv, a.suite, target), a.sources...)
}

func nothing() error { return nil }

// tidyRoot removes what came from this machine and turns off what no test needs.
func tidyRoot(tree string) error {
	for _, pattern := range []string{
		"etc/apt/sources.list.d/*", "etc/apt/apt.conf.d/99mmdebstrap", "etc/resolv.conf",
		"etc/dpkg/dpkg.cfg.d/99mmdebstrap",
		"etc/systemd/system/multi-user.target.wants/ssh.service", "etc/systemd/system/sshd.service",
	} {
		if err := removeAll(filepath.Join(tree, pattern)); err != nil {
			return err
		}
	}
	if !exists(filepath.Join(tree, "etc/systemd/system")) {
		return nil
	}
	for _, unit := range masked {
		if err := os.Symlink("/dev/null", filepath.Join(tree, "etc/systemd/system", unit)); err != nil {
			return fmt.Errorf("mask %s: %w", unit, err)
		}
	}
	return nil
}

func removeAll(pattern string) error {
	found, err := filepath.Glob(pattern)
	if err != nil {
		return err
	}
	for _, path := range found {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
