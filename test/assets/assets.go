package assets

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// ControlPlane returns a folder with the named binaries in it, or with those of
// [Default] when no name is given, having built the missing ones first. The
// folder is a valid KUBEBUILDER_ASSETS when etcd, kube-apiserver and kubectl are
// among the names, and holds whatever else was asked for earlier.
//
// The folder's name is a hash of all that the result depends on: the nested
// module's go.mod and go.sum, the recipe, the Go version and the target. So a
// binary, once there, is complete and never changes; folders of earlier versions
// stay until someone removes them.
//
// Builds exclude each other across goroutines and processes; the one that waited
// finds the work done. A cold build takes minutes, longer than the default
// `go test -timeout`: run `go run ./hack/controlplane build` before the tests. A
// build that was cut short by ctx leaves nothing half-made in the folder, and
// the next one goes on from what the Go build cache has.
//
// Progress gets lines of text, nothing when all is there already; nil discards
// them. GOFLAGS is ignored; GOMAXPROCS=1 makes a build use one core.
func ControlPlane(ctx context.Context, progress io.Writer, names ...string) (string, error) {
	wanted, err := binariesNamed(names)
	if err != nil {
		return "", err
	}
	source, err := ModuleDir()
	if err != nil {
		return "", err
	}
	dir, err := cacheDir(ctx, source)
	if err != nil {
		return "", err
	}
	if len(missing(dir, wanted)) == 0 {
		return dir, nil
	}
	if progress == nil {
		progress = io.Discard
	}
	err = buildMissing(ctx, &builder{source: source, dir: dir, progress: &lineWriter{to: progress}}, wanted)
	if err != nil {
		return "", fmt.Errorf("%w\nto build it apart from the tests: go run ./hack/controlplane build", err)
	}
	return dir, nil
}

func buildMissing(ctx context.Context, b *builder, wanted []Binary) error {
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return fmt.Errorf("create the cache folder: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(b.dir, ".lock"), func() {
		b.progress.printf("waiting for another build in %s", b.dir)
	})
	if err != nil {
		return err
	}
	defer unlock()

	// Only now, under the lock: the build that held it may have made some.
	todo := missing(b.dir, wanted)
	if len(todo) == 0 {
		return nil
	}
	return b.buildAll(ctx, todo)
}

// missing returns the binaries that dir lacks. Presence is enough to go by,
// since files get their names only when complete.
func missing(dir string, wanted []Binary) []Binary {
	var absent []Binary
	for _, binary := range wanted {
		if _, err := os.Stat(filepath.Join(dir, binary.Name)); err != nil {
			absent = append(absent, binary)
		}
	}
	return absent
}

// lineWriter writes whole lines to a writer that need not be safe for
// concurrent use. What the writer answers is ignored: progress must not fail a
// build.
type lineWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *lineWriter) printf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = fmt.Fprintf(w.to, "control plane: "+format+"\n", args...)
}
