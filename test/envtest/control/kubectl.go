package control

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// Kubectl runs kubectl as a user who may do everything, with stdin as its input, and
// returns what it printed. The error holds what it complained about.
func (p *Plane) Kubectl(ctx context.Context, stdin string, args ...string) (string, error) {
	kubeconfig, err := p.Kubeconfig()
	if err != nil {
		return "", err
	}
	args = append([]string{"--kubeconfig", kubeconfig, "--cache-dir", filepath.Join(p.dir, "cache")}, args...)
	cmd := exec.CommandContext(ctx, p.environment.ControlPlane.KubectlPath, args...)
	cmd.Stdin = bytes.NewBufferString(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("kubectl: %w: %s", err, stderr.String())
	}
	return stdout.String(), nil
}

// Kubeconfig returns a kubeconfig file of a user who may do everything.
func (p *Plane) Kubeconfig() (string, error) {
	file := filepath.Join(p.dir, "admin.kubeconfig")
	if err := os.WriteFile(file, p.environment.KubeConfig, 0o600); err != nil {
		return "", fmt.Errorf("write a kubeconfig: %w", err)
	}
	return file, nil
}

// KubeconfigOf writes a kubeconfig for a user who may do what RBAC says, by client
// certificate, and returns its file.
func (p *Plane) KubeconfigOf(name string, groups ...string) (string, error) {
	user, err := p.environment.AddUser(envtest.User{Name: name, Groups: groups}, nil)
	if err != nil {
		return "", fmt.Errorf("make user %s: %w", name, err)
	}
	text, err := user.KubeConfig()
	if err != nil {
		return "", fmt.Errorf("make a kubeconfig for %s: %w", name, err)
	}
	file := filepath.Join(p.dir, fmt.Sprintf("user-%x.kubeconfig", name))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return "", fmt.Errorf("write a kubeconfig: %w", err)
	}
	return file, nil
}
