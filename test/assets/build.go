package assets

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

const (
	// progressEvery is how often a running build says where it is.
	progressEvery = 10 * time.Second
	// interruptWait is how long the go command may clean up after itself.
	interruptWait = 5 * time.Second
	// outputKept is how many lines of a failed build its error quotes.
	outputKept = 20
)

// builder builds from the nested module in source into dir, whose lock it
// assumes to hold.
type builder struct {
	source   string
	dir      string
	progress *lineWriter
}

// buildAll builds one binary after the other: two links at once take 4 GiB, and
// the packages that they share are compiled once either way.
func (b *builder) buildAll(ctx context.Context, binaries []Binary) error {
	r, err := pinnedRelease(ctx, b.source)
	if err != nil {
		return err
	}
	drafts, err := newDrafts(b.dir)
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(drafts) }()
	for _, binary := range binaries {
		if err := b.build(ctx, r, binary, filepath.Join(drafts, binary.Name)); err != nil {
			return fmt.Errorf("build %s of Kubernetes %s: %w", binary.Name, r.Version, err)
		}
	}
	return nil
}

// newDrafts makes a folder for unfinished files in dir and removes those of
// builds that were killed. It is a new one each time, because the go command of
// a killed build lives on and may yet write to its own.
func newDrafts(dir string) (string, error) {
	const prefix = ".draft-"
	old, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
	if err != nil {
		return "", fmt.Errorf("look for earlier attempts: %w", err)
	}
	for _, path := range old {
		if err := os.RemoveAll(path); err != nil {
			return "", fmt.Errorf("remove an earlier attempt: %w", err)
		}
	}
	drafts, err := os.MkdirTemp(dir, prefix)
	if err != nil {
		return "", fmt.Errorf("make a folder for unfinished files: %w", err)
	}
	return drafts, nil
}

func pinnedRelease(ctx context.Context, source string) (release, error) {
	cmd := goCommand(exec.CommandContext(ctx, "go", "list", "-m", "-json", "k8s.io/kubernetes"), source)
	text, err := cmd.Output()
	if err != nil {
		return release{}, fmt.Errorf("ask the nested module for its Kubernetes version: %w", withStderr(err))
	}
	var r release
	if err := json.Unmarshal(text, &r); err != nil {
		return release{}, fmt.Errorf("read the nested module's Kubernetes version: %w", err)
	}
	return r, nil
}

// build links to draft and publishes the finished file by renaming it.
func (b *builder) build(ctx context.Context, r release, binary Binary, draft string) error {
	begin := time.Now()
	b.progress.printf("building %s of Kubernetes %s", binary.Name, r.Version)
	args := append([]string{"build", "-o", draft}, buildFlags(r)...)
	if err := b.runGo(ctx, binary.Name, append(args, binary.Package)); err != nil {
		return err
	}
	size, err := publish(draft, filepath.Join(b.dir, binary.Name))
	if err != nil {
		return err
	}
	b.progress.printf("built %s: %d MiB in %s", binary.Name, size>>20, since(begin))
	return nil
}

// runGo runs a go command and tells the progress of it from time to time. Its
// error is ctx's when that ended the command.
func (b *builder) runGo(ctx context.Context, label string, args []string) error {
	var output outputTail
	cmd := goCommand(exec.CommandContext(ctx, "go", args...), b.source)
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = interruptWait

	stop := b.report(label, &output)
	err := cmd.Run()
	stop()
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, output.text())
	}
	return nil
}

// report prints a line of progress now and then until the returned function is
// called.
func (b *builder) report(label string, output *outputTail) (stop func()) {
	begin := time.Now()
	done := make(chan struct{})
	var running sync.WaitGroup
	running.Go(func() {
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				packages, last := output.at()
				b.progress.printf("%s: %s, %d packages compiled, at %s", label, since(begin), packages, last)
			}
		}
	})
	return func() { close(done); running.Wait() }
}

// publish makes draft appear as path, complete even after a power cut, and
// returns its size.
func publish(draft, path string) (int64, error) {
	file, err := os.Open(draft)
	if err != nil {
		return 0, fmt.Errorf("publish %s: %w", path, err)
	}
	defer func() { _ = file.Close() }()
	if err := file.Sync(); err != nil {
		return 0, fmt.Errorf("publish %s: %w", path, err)
	}
	stat, err := file.Stat()
	if err != nil {
		return 0, fmt.Errorf("publish %s: %w", path, err)
	}
	if err := os.Rename(draft, path); err != nil {
		return 0, fmt.Errorf("publish %s: %w", path, err)
	}
	return stat.Size(), nil
}

func since(begin time.Time) time.Duration {
	return time.Since(begin).Round(time.Second)
}

// outputTail is what `go build -v` writes, a line for each package that it
// compiles: it counts them and keeps the last lines.
type outputTail struct {
	mu       sync.Mutex
	packages int
	kept     []string
	partial  string
}

func (t *outputTail) Write(text []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(t.partial+string(text), "\n")
	t.partial = lines[len(lines)-1]
	for _, line := range lines[:len(lines)-1] {
		t.kept = append(t.kept, line)
		if !strings.HasPrefix(line, "go: ") { // such as "go: downloading"
			t.packages++
		}
	}
	t.kept = t.kept[max(0, len(t.kept)-outputKept):]
	return len(text), nil
}

// at returns the number of packages so far and the last line; a build that has
// nothing to compile is quiet and links.
func (t *outputTail) at() (packages int, last string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.kept) == 0 {
		return 0, "the link"
	}
	return t.packages, t.kept[len(t.kept)-1]
}

func (t *outputTail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.Join(t.kept, "\n") + "\n" + t.partial)
}
