package service

import (
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/coreos/go-systemd/v22/daemon"
	slogjournal "github.com/systemd/slog-journal"
	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/keep"
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

// messageIDs are the MESSAGE_ID of each event, by which journalctl finds it whatever its words
// are. They never change.
var messageIDs = map[keep.Event]string{
	keep.EventChanged: "395dd54350084e938110d345081f48fe",
	keep.EventWaiting: "794095d3f2ae4dadb220f847f392666d",
	keep.EventUnmet:   "793f0f62c67b40caad1491f9a042f413",
	keep.EventHolds:   "95c53f402733445b8fbaa58018e14663",
}

// journalField gives an attribute the name of a field of ours, HOSTPROFILE_KEY. An event is
// the journal's own MESSAGE_ID.
func journalField(_ []string, a slog.Attr) slog.Attr {
	if a.Key == keep.EventKey {
		return slog.String("MESSAGE_ID", messageIDs[keep.Event(a.Value.String())])
	}
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
