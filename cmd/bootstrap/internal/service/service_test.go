package service_test

import (
	"bytes"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/service"
)

func TestTheInitSystemHearsAState(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	t.Setenv("NOTIFY_SOCKET", socket)
	service.OfProcess(&bytes.Buffer{}).Notify("STATUS=kubelet is waiting")
	b := make([]byte, 100)
	if n, err := l.Read(b); err != nil || string(b[:n]) != "STATUS=kubelet is waiting" {
		t.Errorf("heard %q, %v", b[:n], err)
	}
}

// Another init system reads the standard error, and listens to nothing else.
func TestWithoutSystemdTheStandardErrorSaysIt(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	t.Setenv("JOURNAL_STREAM", "")
	var out bytes.Buffer
	v := service.OfProcess(&out)
	v.Notify("READY=1")
	slog.New(v.Log).Info("changed sysctl/vm.swappiness from 60 to 10", "cause", "drift")
	if text := out.String(); !strings.Contains(text, "changed sysctl/vm.swappiness from 60 to 10") || !strings.Contains(text, "cause=drift") {
		t.Errorf("says %q", text)
	}
}
