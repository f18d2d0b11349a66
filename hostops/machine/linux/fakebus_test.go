package linux_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/godbus/dbus/v5"
)

// fakeBus is a message bus, or systemd at its own socket, that answers from a table and
// dies at a chosen word: all its connections end, and nobody listens any more.
type fakeBus struct {
	t       *testing.T
	l       net.Listener
	answers map[string][]any // by method
	diesAt  string           // a method, which is not answered
	diesOf  string           // a method, which is answered

	mu    sync.Mutex
	conns []net.Conn
	all   sync.WaitGroup
}

// refusal is an answer that names an error.
type refusal string

// newFakeBus listens at a path, until the end of the test or its own.
func newFakeBus(t *testing.T, path string, answers map[string][]any) *fakeBus {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	l, err := net.Listen("unix", path)
	must(t, err)
	b := &fakeBus{t: t, l: l, answers: answers}
	b.all.Go(b.listen)
	t.Cleanup(func() { b.die(); b.all.Wait() })
	return b
}

// die is what a kill does. The socket's file stays, as that of a killed daemon does.
func (b *fakeBus) die() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.l.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = b.l.Close()
	for _, c := range b.conns {
		_ = c.Close()
	}
}

func (b *fakeBus) listen() {
	for {
		c, err := b.l.Accept()
		if err != nil {
			return
		}
		b.mu.Lock()
		b.conns = append(b.conns, c)
		b.mu.Unlock()
		b.all.Go(func() {
			if in := bufio.NewReader(c); letIn(in, c) == nil {
				b.serve(in, c)
			}
		})
	}
}

// letIn lets everybody in: the words before the first message.
func letIn(in *bufio.Reader, out io.Writer) error {
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return err
		}
		answer := "OK 0123456789abcdef0123456789abcdef"
		switch word := strings.Fields(strings.TrimLeft(line, "\x00")); {
		case word[0] == "BEGIN":
			return nil
		case len(word) == 1 && word[0] == "AUTH":
			answer = "REJECTED EXTERNAL"
		case word[0] == "NEGOTIATE_UNIX_FD":
			answer = "ERROR"
		}
		if _, err := fmt.Fprintf(out, "%s\r\n", answer); err != nil {
			return err
		}
	}
}

// serve answers calls until the connection, or the bus, ends.
func (b *fakeBus) serve(in io.Reader, out io.Writer) {
	for serial := uint32(1); ; serial++ {
		call, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		method, _ := call.Headers[dbus.FieldMember].Value().(string)
		if method == b.diesAt {
			b.die()
			return
		}
		body, known := b.answers[method]
		if !known {
			b.t.Errorf("nobody said what to answer to %s", method)
		}
		if _, err := out.Write(reply(call, serial, body)); err != nil {
			return
		}
		if method == b.diesOf {
			b.die()
			return
		}
	}
}

// reply writes a message. The library counts serials only in connections of its own.
func reply(call *dbus.Message, serial uint32, body []any) []byte {
	m := dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{
		dbus.FieldReplySerial: dbus.MakeVariant(call.Serial()),
	}, Body: body}
	if len(body) == 1 {
		if name, ok := body[0].(refusal); ok {
			m.Type, m.Body, body = dbus.TypeError, nil, nil
			m.Headers[dbus.FieldErrorName] = dbus.MakeVariant(string(name))
		}
	}
	if len(body) > 0 {
		m.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(body...))
	}
	var text bytes.Buffer
	if err := m.EncodeTo(&text, binary.LittleEndian); err != nil {
		panic(err) // the table holds what D-Bus cannot say
	}
	binary.LittleEndian.PutUint32(text.Bytes()[8:], serial)
	return text.Bytes()
}
