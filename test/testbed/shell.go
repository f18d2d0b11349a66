package testbed

import (
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

// errLost means that the connection is of no more use, and that nothing was run.
var errLost = errors.New("the connection is lost")

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
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
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

// session opens a session. A guest whose firewall swallows everything answers
// nothing, so it does not wait longer than ctx.
func (s *shell) session(ctx context.Context) (*ssh.Session, error) {
	type answer struct {
		session *ssh.Session
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		session, err := s.client.NewSession()
		answers <- answer{session, err}
	}()
	select {
	case a := <-answers:
		if a.err != nil {
			return nil, fmt.Errorf("%w: %w", errLost, a.err)
		}
		return a.session, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// start starts argv and kills it when ctx is done.
func (s *shell) start(ctx context.Context, stdin io.Reader, argv []string) (Process, error) {
	session, err := s.session(ctx)
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
