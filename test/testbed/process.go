package testbed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// pipeDelay is how long a finished program's output is waited for when a
// grandchild still holds the pipe.
const pipeDelay = 2 * time.Second

// process is a program of this machine, started in a cell.
type process struct {
	cmd    *exec.Cmd
	ctx    context.Context
	group  func() int // the process group to kill
	stdout output
	stderr output
	both   output
	ended  chan struct{}
	result Result
	err    error
}

// startProcess starts cmd in the cell and kills it when ctx is done.
func startProcess(ctx context.Context, c *cell, cmd *exec.Cmd) (*process, error) {
	return startGroup(ctx, c, cmd, nil)
}

// startGroup is startProcess for a program whose work is done by another process
// group than its own.
func startGroup(ctx context.Context, c *cell, cmd *exec.Cmd, group func() int) (*process, error) {
	p := &process{cmd: cmd, ctx: ctx, group: group, ended: make(chan struct{})}
	if group == nil {
		p.group = func() int { return cmd.Process.Pid }
	}
	cmd.Stdout = io.MultiWriter(&p.stdout, &p.both)
	cmd.Stderr = io.MultiWriter(&p.stderr, &p.both)
	cmd.Cancel = p.Kill
	cmd.WaitDelay = pipeDelay
	if err := c.start(cmd); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Args[0], err)
	}
	go p.reap()
	return p, nil
}

func (p *process) reap() {
	defer close(p.ended)
	err := p.cmd.Wait()
	p.result = Result{Stdout: p.stdout.String(), Stderr: p.stderr.String(), ExitCode: exitCode(p.cmd)}
	var exit *exec.ExitError
	switch {
	case p.ctx.Err() != nil && err != nil:
		p.err = fmt.Errorf("run %s: %w", p.cmd.Args[0], context.Cause(p.ctx))
	case errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
	case err != nil:
		p.err = fmt.Errorf("run %s: %w", p.cmd.Args[0], err)
	}
}

func (p *process) Wait() (Result, error) {
	<-p.ended
	return p.result, p.err
}

func (p *process) Kill() error {
	if isClosed(p.ended) {
		return nil
	}
	err := syscall.Kill(-p.group(), syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}

func (p *process) Output() string { return p.both.String() }

// isClosed reports whether what a channel announces by its end has happened.
func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func exitCode(cmd *exec.Cmd) int {
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return cmd.ProcessState.ExitCode()
}

// runProcess runs a program of this machine in the cell and waits for it.
func runProcess(ctx context.Context, c *cell, cmd *exec.Cmd) (Result, error) {
	p, err := startProcess(ctx, c, cmd)
	if err != nil {
		return Result{}, err
	}
	return p.Wait()
}

// check makes an error of a program's non-zero exit, ending with its last words.
func check(result Result, err error, argv ...string) error {
	if err != nil || result.ExitCode == 0 {
		return err
	}
	words := strings.TrimSpace(result.Stderr)
	if words == "" {
		words = strings.TrimSpace(result.Stdout)
	}
	return fmt.Errorf("%s ended with status %d: %s", strings.Join(argv, " "), result.ExitCode, tail(words, 2000))
}

func tail(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return "... " + text[len(text)-most:]
}

// output collects what a program writes and lets others wait for a word in it.
type output struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// waitFor returns nil once word is in the output.
func (o *output) waitFor(ctx context.Context, word string) error {
	for {
		found, changed := o.look(word)
		if found {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("wait for %q: %w", word, context.Cause(ctx))
		}
	}
}

func (o *output) look(word string) (bool, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.changed == nil {
		o.changed = make(chan struct{})
	}
	return bytes.Contains(o.text.Bytes(), []byte(word)), o.changed
}
