package service

import (
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/coreos/go-systemd/v22/daemon"
	slogjournal "github.com/systemd/slog-journal"
	"golang.org/x/sys/unix"
)

// Voice says what a run that stays has to say. A nil function says nothing.
type Voice struct {
	Log slog.Handler
	// Notify tells the init system a new state, in the words of sd_notify(3).
	Notify func(state string)
	// Console shows a line to whoever sits in front of the host.
	Console func(line string)
}

// OfProcess returns the voice of this process. Without a journal it logs to out.
func OfProcess(out io.Writer) Voice {
	return Voice{Log: handler(out), Notify: notify, Console: show}
}

// notify needs no answer: a run without an init system that listens is a run all the same.
func notify(state string) { _, _ = daemon.SdNotify(false, state) }

// handler is the journal where systemd says that it reads our standard error anyway.
func handler(out io.Writer) slog.Handler {
	if os.Getenv("JOURNAL_STREAM") != "" {
		h, err := slogjournal.NewHandler(&slogjournal.Options{ReplaceAttr: journalField})
		if err == nil {
			return h
		}
	}
	return slog.NewTextHandler(out, nil)
}

// journalField gives an attribute the name of a field of ours, HOSTPROFILE_KEY.
func journalField(_ []string, a slog.Attr) slog.Attr {
	a.Key = "HOSTPROFILE_" + strings.ToUpper(a.Key)
	return a
}

// console is the host's own, whatever that is: a screen, a serial line, a file of the
// container that it is.
const console = "/dev/console"

// show never waits: a console that takes nothing must not keep a host from its work.
func show(line string) {
	fd, err := unix.Open(console, unix.O_WRONLY|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	_, _ = unix.Write(fd, []byte(line+"\r\n"))
	_ = unix.Close(fd)
}
