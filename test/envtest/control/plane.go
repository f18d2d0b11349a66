package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/go-logr/logr"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/hostprofile/hostprofile/test/assets"
)

// patience is how long a process may take to start or stop on a busy machine.
const patience = 2 * time.Minute

// goodbye is for how long an API server that stops tells those who watch it to go. If it
// does not tell them, it waits for a minute.
const goodbye = "1s"

const certificates = "certificates" // the name of their folder

// Plane is a running control plane.
type Plane struct {
	// Config is for a client that may do everything.
	Config *rest.Config

	environment *envtest.Environment
	dir         string // of certificates, kubeconfigs and kubectl's cache
}

// Option changes how a control plane is made, before it starts.
type Option func(*envtest.Environment)

// WithFlag starts the API server with one more flag, for example
// WithFlag("audit-log-path", file).
func WithFlag(name string, values ...string) Option {
	return func(e *envtest.Environment) { e.ControlPlane.GetAPIServer().Configure().Set(name, values...) }
}

// WithoutCRDs starts an API server that has never heard of this product.
func WithoutCRDs() Option {
	return func(e *envtest.Environment) { e.CRDDirectoryPaths = nil }
}

// Launch starts a control plane, which somebody has to Stop. Tests use Start.
//
// The programs are built when they are not cached, which takes minutes; progress gets
// lines of text about it.
func Launch(ctx context.Context, progress io.Writer, options ...Option) (*Plane, error) {
	log.SetLogger(logr.Discard()) // or envtest complains that nobody did
	programs, err := assets.ControlPlane(ctx, progress)
	if err != nil {
		return nil, err
	}
	crds, err := File("config/crd")
	if err != nil {
		return nil, err
	}
	dir, err := folder()
	if err != nil {
		return nil, fmt.Errorf("make a folder for the control plane: %w", err)
	}
	p := &Plane{dir: dir, environment: environment(dir, programs, crds, options)}
	if p.Config, err = p.environment.Start(); err != nil {
		return nil, fmt.Errorf("start the control plane: %w", errors.Join(err, p.Stop()))
	}
	return p, nil
}

// folder makes a folder for what a control plane keeps in files, next to etcd's.
func folder() (string, error) {
	dir, err := os.MkdirTemp("", "hostprofile-control-")
	if err != nil {
		return "", err
	}
	return dir, os.Mkdir(filepath.Join(dir, certificates), 0o700)
}

// environment is told all about a control plane but its ports. Certificates get a folder
// of ours, so that they survive a restart of the API server.
func environment(dir, programs, crds string, options []Option) *envtest.Environment {
	e := &envtest.Environment{
		UseExistingCluster:       new(false),
		BinaryAssetsDirectory:    programs,
		CRDDirectoryPaths:        []string{crds},
		ErrorIfCRDPathMissing:    true,
		ControlPlaneStartTimeout: patience,
		ControlPlaneStopTimeout:  patience,
	}
	e.CRDInstallOptions.MaxTime = patience
	server := e.ControlPlane.GetAPIServer()
	server.CertDir = filepath.Join(dir, certificates)
	server.Configure().Set("shutdown-watch-termination-grace-period", goodbye)
	for _, option := range options {
		option(e)
	}
	return e
}

// Stop ends the control plane and removes all that it stored.
func (p *Plane) Stop() error {
	return errors.Join(p.environment.Stop(), os.RemoveAll(p.dir))
}

// StopServer ends the API server and leaves its data: clients see a refused connection.
func (p *Plane) StopServer() error {
	if err := p.environment.ControlPlane.GetAPIServer().Stop(); err != nil {
		return fmt.Errorf("stop the API server: %w", err)
	}
	return nil
}

// StartServer starts the API server again after StopServer, with the same address,
// certificates and data.
func (p *Plane) StartServer() error {
	if err := p.environment.ControlPlane.GetAPIServer().Start(); err != nil {
		return fmt.Errorf("start the API server: %w", err)
	}
	return nil
}
