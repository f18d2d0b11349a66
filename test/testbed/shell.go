package testbed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/crypto/ssh"
)

// shell is a connection to the sshd of a VM.
type shell struct{ client *ssh.Client }

// openShell logs in. The guest's sshd listens by now, but in software emulation
// it may take a few seconds to answer.
func openShell(ctx context.Context, i *image, port string) (*shell, error) {
	settings, err := shellSettings(i)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	address := net.JoinHostPort(loopback, port)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		client, err := dial(ctx, address, settings)
		if err == nil {
			return &shell{client: client}, nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("log in: %w", errors.Join(context.Cause(ctx), err))
		}
	}
}

func dial(ctx context.Context, address string, settings *ssh.ClientConfig) (*ssh.Client, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	secure, channels, requests, err := ssh.NewClientConn(conn, address, settings)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return ssh.NewClient(secure, channels, requests), nil
}

func shellSettings(i *image) (*ssh.ClientConfig, error) {
	private, err := os.ReadFile(i.path(keyFile))
	if err != nil {
		return nil, err
	}
	signer, err := ssh.ParsePrivateKey(private)
	if err != nil {
		return nil, fmt.Errorf("read the VM's key: %w", err)
	}
	public, err := os.ReadFile(i.path(hostKeyFile))
	if err != nil {
		return nil, err
	}
	host, _, _, _, err := ssh.ParseAuthorizedKey(public)
	if err != nil {
		return nil, fmt.Errorf("read the VM's host key: %w", err)
	}
	return &ssh.ClientConfig{
		User:              "root",
		Auth:              []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback:   ssh.FixedHostKey(host),
		HostKeyAlgorithms: []string{host.Type()},
	}, nil
}

func (s *shell) close() { _ = s.client.Close() }

// start starts argv and kills it when ctx is done.
func (s *shell) start(ctx context.Context, stdin io.Reader, argv []string) (Process, error) {
	session, err := s.client.NewSession()
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", argv[0], err)
	}
	p := &remoteProcess{shell: s, session: session, name: argv[0], ended: make(chan struct{})}
	p.id.known = make(chan struct{})
	p.id.rest = io.MultiWriter(&p.stdout, &p.both)
	session.Stdin = stdin
	session.Stdout = &p.id
	session.Stderr = io.MultiWriter(&p.stderr, &p.both)
	if err := session.Start("echo $$; exec " + quoteAll(argv)); err != nil {
		return nil, fmt.Errorf("run %s: %w", argv[0], errors.Join(err, session.Close()))
	}
	go p.watch(ctx)
	return p, nil
}

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
	stop := context.AfterFunc(ctx, func() {
		_ = p.Kill()
		_ = p.session.Close() // in case the host does not answer any more
	})
	err := p.session.Wait()
	killed := !stop()
	p.result = Result{Stdout: p.stdout.String(), Stderr: p.stderr.String()}
	var exit *ssh.ExitError
	switch {
	case killed:
		p.err = fmt.Errorf("run %s: %w", p.name, context.Cause(ctx))
	case errors.As(err, &exit):
		p.result.ExitCode = exit.ExitStatus()
	case err != nil:
		p.err = fmt.Errorf("run %s: the connection was lost: %w", p.name, err)
	}
	_ = p.session.Close()
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
	defer session.Close()
	// It fails if the program has just ended: no error.
	if err := session.Run("kill -KILL -- -" + string(p.id.line)); !errors.As(err, new(*ssh.ExitError)) {
		return err
	}
	return nil
}

func (p *remoteProcess) Output() string { return p.both.String() }
