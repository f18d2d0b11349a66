package testbed

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// archive is where and how this machine gets Debian's packages.
type archive struct {
	suite   string
	sources []string // files
	content string   // of these files
}

// findArchive reads the machine's own apt sources. Those of other vendors are
// left out.
func findArchive() (archive, error) {
	release, err := readRelease()
	if err != nil {
		return archive{}, err
	}
	if release["ID"] != "debian" {
		return archive{}, fmt.Errorf("images are made from Debian's packages, and this machine runs %q", release["ID"])
	}
	a := archive{suite: release["VERSION_CODENAME"]}
	return a, a.findSources()
}

func (a *archive) findSources() error {
	var files []string
	for _, pattern := range []string{"sources.list", "sources.list.d/*.list", "sources.list.d/*.sources"} {
		found, err := filepath.Glob(filepath.Join("/etc/apt", pattern))
		if err != nil {
			return err
		}
		files = append(files, found...)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("read apt sources: %w", err)
		}
		if namesDebian(string(content), a.suite) {
			a.sources = append(a.sources, file)
			a.content += string(content)
		}
	}
	if len(a.sources) == 0 {
		return fmt.Errorf("no file below /etc/apt names Debian's suite %s", a.suite)
	}
	return nil
}

// namesDebian reports whether an apt source file speaks of the suite's "main",
// the component that only Debian's own archive has.
func namesDebian(content, suite string) bool {
	var words []string
	for line := range strings.Lines(content) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			words = append(words, strings.Fields(line)...)
		}
	}
	return slices.Contains(words, "main") && slices.ContainsFunc(words, func(word string) bool {
		return word == suite || strings.HasPrefix(word, suite+"-")
	})
}

// aptOptions are the settings without which this machine's archive cannot be
// reached, as mmdebstrap's --aptopt wants them: its apt does not read the
// machine's apt.conf.d.
func aptOptions(ctx context.Context) ([]string, error) {
	result, err := tool(ctx, "apt-config", "dump")
	if err != nil {
		return nil, err
	}
	var options []string
	for line := range strings.Lines(result.Stdout) {
		line = strings.TrimSuffix(strings.TrimSpace(line), ";")
		name, value, _ := strings.Cut(line, " ")
		for _, prefix := range []string{"Acquire::Check-", "Acquire::http", "Acquire::https", "Acquire::Retries"} {
			if strings.HasPrefix(name, prefix) && value != `""` {
				options = append(options, line)
			}
		}
	}
	return options, nil
}

// downloadKernel downloads the newest cloud kernel's package into a folder. The
// package lists may be missing or too old, so it refreshes them where needed.
func downloadKernel(ctx context.Context, dir string) error {
	if err := tryKernel(ctx, dir); err == nil {
		return nil
	}
	if err := aptGet(ctx, "update"); err != nil {
		return err
	}
	return tryKernel(ctx, dir)
}

func tryKernel(ctx context.Context, dir string) error {
	name, err := kernelPackage(ctx)
	if err != nil {
		return err
	}
	// Without root's user apt would want to write into dir as its own.
	_, err = toolIn(ctx, dir, "apt-get", "--option", "APT::Sandbox::User=root", "download", name)
	return err
}

// kernelPackage is the real name behind linux-image-cloud-amd64.
func kernelPackage(ctx context.Context) (string, error) {
	const name = "linux-image-cloud-amd64"
	result, err := tool(ctx, "apt-cache", "depends", name)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(result.Stdout) {
		if kernel, ok := strings.CutPrefix(strings.TrimSpace(line), "Depends: "); ok {
			return kernel, nil
		}
	}
	return "", fmt.Errorf("package %s names no kernel", name)
}

// readRelease reads /etc/os-release.
func readRelease() (map[string]string, error) {
	f, err := os.Open("/etc/os-release")
	if err != nil {
		return nil, fmt.Errorf("find out which system this is: %w", err)
	}
	defer func() { _ = f.Close() }()
	release := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if name, value, ok := strings.Cut(lines.Text(), "="); ok {
			release[name] = strings.Trim(value, `"'`)
		}
	}
	return release, lines.Err()
}

// tool runs a program of this machine as it is and makes an error of a non-zero
// exit. It is only for programs that change nothing, and for apt-get.
func tool(ctx context.Context, argv ...string) (Result, error) {
	return toolIn(ctx, "", argv...)
}

func toolIn(ctx context.Context, dir string, argv ...string) (Result, error) {
	var stdout, stderr output
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive")
	err := cmd.Run()
	result := Result{Stdout: stdout.String(), Stderr: stderr.String()}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		result.ExitCode = exitCode(cmd)
		err = nil
	}
	if err != nil {
		return result, fmt.Errorf("run %s: %w", argv[0], err)
	}
	return result, check(result, nil, argv...)
}
