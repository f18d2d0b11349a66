package testbed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cacheFolder is where finished images live. It may be removed at any time
// while no test runs.
func cacheFolder() (string, error) {
	user, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	return makeFolder(filepath.Join(user, "hostprofile", "testbed"))
}

// scratchFolder is an empty folder that cells cover with a file system of their
// own. It stays empty.
func scratchFolder() (string, error) {
	cache, err := cacheFolder()
	if err != nil {
		return "", err
	}
	return makeFolder(filepath.Join(cache, "scratch"))
}

func makeFolder(path string) (string, error) {
	return path, os.MkdirAll(path, 0o755)
}

// halfSuffix marks an image that is not finished.
const halfSuffix = ".half"

// image is a finished folder of the cache. As long as it is open, prune leaves
// it alone.
type image struct {
	dir  string
	lock *os.File
}

func (i *image) path(name string) string { return filepath.Join(i.dir, name) }

func (i *image) Close() error { return i.lock.Close() }

// recipe says how an image is made and what it depends on.
type recipe struct {
	name  string
	key   string
	build func(ctx context.Context, dir string, p progress) error
}

// key is the content hash under which an image is found again.
func key(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// open returns the image and builds it first if it is not there. Of several
// builders, in whatever process, one builds and the others wait.
func (r recipe) open(ctx context.Context, p progress) (*image, error) {
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(cache, r.name+"-"+r.key)
	lock, err := os.OpenFile(dir+".lock", os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	i := &image{dir: dir, lock: lock}
	if err := r.ensure(ctx, i, p.named("image "+r.name)); err != nil {
		return nil, fmt.Errorf("image %s: %w", r.name, errors.Join(err, i.Close()))
	}
	return i, nil
}

func (r recipe) ensure(ctx context.Context, i *image, p progress) error {
	if err := lockShared(ctx, i.lock, p); err != nil || exists(i.dir) {
		return err
	}
	if err := lockExclusive(ctx, i.lock, p); err != nil {
		return err
	}
	if !exists(i.dir) {
		if err := r.publish(ctx, i.dir, p); err != nil {
			return err
		}
	}
	return lockShared(ctx, i.lock, p)
}

// publish builds beside the final place and moves the result there, so that
// half an image is never seen.
func (r recipe) publish(ctx context.Context, dir string, p progress) error {
	half := dir + halfSuffix
	if err := os.RemoveAll(half); err != nil {
		return err
	}
	if err := os.Mkdir(half, 0o755); err != nil {
		return err
	}
	if err := r.build(ctx, half, p); err != nil {
		return errors.Join(err, os.RemoveAll(half))
	}
	return os.Rename(half, dir)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func lockShared(ctx context.Context, f *os.File, p progress) error {
	return flock(ctx, f, unix.LOCK_SH, p)
}

func lockExclusive(ctx context.Context, f *os.File, p progress) error {
	return flock(ctx, f, unix.LOCK_EX, p)
}

// flock waits for the lock in a way that ctx can end.
func flock(ctx context.Context, f *os.File, how int, p progress) error {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for told := false; ; told = true {
		err := unix.Flock(int(f.Fd()), how|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return err
		}
		if !told {
			p.say("waiting for another builder or user")
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("wait for the lock %s: %w", f.Name(), context.Cause(ctx))
		}
	}
}
