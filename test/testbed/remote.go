package testbed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/crypto/ssh"
)

// remoteProcess is a program that runs at the other end of a shell.
type remoteProcess struct {
	shell   *shell
	session *ssh.Session
	name    string
	id      firstLine
	stdout  output
	stderr  output
	both    output
	ended   chan struct{}
	result  Result
	err     error
}

// firstLine keeps the first line written to it and passes on the rest.
type firstLine struct {
	line  []byte
	known chan struct{} // closed once line is whole
	rest  io.Writer
	whole bool
}

func (f *firstLine) Write(p []byte) (int, error) {
	if f.whole {
		return f.rest.Write(p)
	}
	line, rest, found := bytes.Cut(p, []byte("\n"))
	f.line = append(f.line, line...)
	if !found {
		return len(p), nil
	}
	f.whole = true
	close(f.known)
	n, err := f.rest.Write(rest)
	return len(p) - len(rest) + n, err
}

func (p *remoteProcess) watch(ctx context.Context) {
	defer close(p.ended)
	done := make(chan error, 1)
	go func() { done <- p.session.Wait() }()
	select {
	case err := <-done:
		p.settle(err)
	case <-ctx.Done():
		p.abandon(done)
		p.err = fmt.Errorf("run %s: %w", p.name, context.Cause(ctx))
	}
	_ = p.session.Close()
}

// settle reads how the program ended.
func (p *remoteProcess) settle(err error) {
	p.result = Result{Stdout: p.stdout.String(), Stderr: p.stderr.String()}
	var exit *ssh.ExitError
	switch {
	case errors.As(err, &exit):
		p.result.ExitCode = exit.ExitStatus()
	case err != nil:
		p.err = fmt.Errorf("run %s: the connection was lost: %w", p.name, err)
	}
}

// abandon kills the program, and waits for its end unless the host is silent.
func (p *remoteProcess) abandon(done <-chan error) {
	go func() { _ = p.Kill() }()
	silent := time.NewTimer(pipeDelay)
	defer silent.Stop()
	select {
	case err := <-done:
		p.settle(err)
	case <-silent.C:
	}
}

func (p *remoteProcess) Wait() (Result, error) {
	<-p.ended
	return p.result, p.err
}

// Kill kills the program's process group by its id: sshd starts each program in
// a group of its own, and does not pass on signals of root's sessions.
func (p *remoteProcess) Kill() error {
	select {
	case <-p.ended:
		return nil
	case <-p.id.known:
	}
	session, err := p.shell.client.NewSession()
	if err != nil {
		return fmt.Errorf("kill %s: %w", p.name, err)
	}
	defer func() { _ = session.Close() }()
	// It fails if the program has just ended: no error.
	if err := session.Run("kill -KILL -- -" + string(p.id.line)); !errors.As(err, new(*ssh.ExitError)) {
		return err
	}
	return nil
}

func (p *remoteProcess) Output() string { return p.both.String() }
