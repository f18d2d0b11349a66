package testbed

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// runner starts argv on a host with the given standard input.
type runner func(ctx context.Context, stdin io.Reader, argv []string) (Process, error)

// push copies a file through a runner.
func push(ctx context.Context, run runner, localPath, remotePath string, mode fs.FileMode) error {
	f, err := os.Open(localPath)
	if err != nil {
		return fmt.Errorf("push %s: %w", localPath, err)
	}
	defer func() { _ = f.Close() }()
	octal := strconv.FormatUint(uint64(mode.Perm()), 8)
	argv := []string{"install", "-D", "-m", octal, "/dev/stdin", remotePath}
	p, err := run(ctx, f, argv)
	if err != nil {
		return fmt.Errorf("push %s: %w", localPath, err)
	}
	result, err := p.Wait()
	if err := check(result, err, argv...); err != nil {
		return fmt.Errorf("push %s: %w", localPath, err)
	}
	return nil
}
