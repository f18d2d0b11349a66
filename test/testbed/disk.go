package testbed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// diskPattern names a file for the moment before it becomes nameless.
const diskPattern = "disk-*"

// namelessFile is a file of the cache that has no name any more: it is gone when
// its last user is.
func namelessFile() (*os.File, error) {
	cache, err := cacheFolder()
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(cache, diskPattern)
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// copyDisk copies a disk into a nameless file, holes left out.
func copyDisk(path string) (*os.File, error) {
	from, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = from.Close() }()
	to, err := namelessFile()
	if err != nil {
		return nil, err
	}
	if err := copySparse(from, to); err != nil {
		return nil, fmt.Errorf("copy the disk: %w", errors.Join(err, to.Close()))
	}
	return to, nil
}

func copySparse(from, to *os.File) error {
	size, err := from.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if err := to.Truncate(size); err != nil {
		return err
	}
	for end := int64(0); ; {
		start, err := from.Seek(end, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			return nil // nothing but a hole from here on
		}
		if err != nil {
			return err
		}
		if end, err = from.Seek(start, unix.SEEK_HOLE); err != nil {
			return err
		}
		if err := copyPiece(from, to, start, end); err != nil {
			return err
		}
	}
}

func copyPiece(from, to *os.File, start, end int64) error {
	for _, f := range []*os.File{from, to} {
		if _, err := f.Seek(start, io.SeekStart); err != nil {
			return err
		}
	}
	_, err := io.CopyN(to, from, end-start)
	return err
}

// makeSwap makes a disk of size MiB with a swap area on it.
func makeSwap(ctx context.Context, size int) (*os.File, error) {
	f, err := namelessFile()
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(int64(size) << 20); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	path := "/proc/" + strconv.Itoa(os.Getpid()) + "/fd/" + strconv.Itoa(int(f.Fd()))
	if _, err := tool(ctx, "mkswap", "--label", swapLabel, path); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
