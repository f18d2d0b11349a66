package program

import (
	"context"
	"os"
	"sync"
)

// shared is the one build of bootstrap for all tests of a process.
var shared struct {
	once      sync.Once
	dir, file string
	err       error
}

// Shared returns bootstrap, built once for all tests of a process. Whoever has a TestMain
// ends it with RemoveShared.
func Shared() (string, error) {
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "hostprofile-program-"); shared.err == nil {
			shared.file, shared.err = Build(context.Background(), shared.dir)
		}
	})
	return shared.file, shared.err
}

// RemoveShared removes what Shared has built.
func RemoveShared() { _ = os.RemoveAll(shared.dir) }
