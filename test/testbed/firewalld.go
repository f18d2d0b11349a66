package testbed

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The backends of firewalld.
const (
	NFTables = "nftables"
	IPTables = "iptables"
)

// Firewalld is a firewalld with a message bus of its own and without systemd: it is
// there in half a second, in a sandbox that Reexec made with the option Root. It dies
// with the sandbox.
type Firewalld struct {
	t      testing.TB
	root   string
	bus    *exec.Cmd
	daemon *exec.Cmd
	done   chan struct{}
}

// busSettings let root do all on the bus.
const busSettings = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
  <policy context="default"><allow user="*"/><allow own="*"/><allow send_type="*"/><allow receive_type="*"/><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/></policy>
</busconfig>
`

// StartFirewalld starts a bus and firewalld, with the given backend, in the folder that
// SandboxOptions.Root named, and returns when firewalld answers.
func StartFirewalld(t testing.TB, root, backend string) *Firewalld {
	t.Helper()
	f := &Firewalld{t: t, root: root}
	f.must(os.MkdirAll(f.path("run/dbus"), 0o755))
	f.must(os.WriteFile(f.path("run/bus.conf"), []byte(busSettings), 0o644))
	f.StartBus()
	t.Cleanup(f.KillBus)
	f.Backend(backend)
	f.Start()
	t.Cleanup(f.Stop)
	return f
}

// StartBus starts a message bus and returns when it takes calls.
func (f *Firewalld) StartBus() {
	f.t.Helper()
	socket := f.path("run/dbus/system_bus_socket")
	if err := os.Remove(socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.t.Fatal(err)
	}
	f.bus = f.command("dbus-daemon", "--config-file=/run/bus.conf", "--nofork", "--nopidfile")
	f.must(f.bus.Start())
	f.until("the bus is there", func() bool { _, err := os.Stat(socket); return err == nil })
}

// KillBus ends the bus as a crash does: its socket stays. A firewalld that runs loses it.
// A bus that does not run is no error.
func (f *Firewalld) KillBus() {
	if f.bus == nil {
		return
	}
	_ = f.bus.Process.Kill()
	_ = f.bus.Wait()
	f.bus = nil
}

// Backend writes the backend into firewalld.conf, for the next start.
func (f *Firewalld) Backend(name string) {
	f.t.Helper()
	path := f.path("etc/firewalld/firewalld.conf")
	content, err := os.ReadFile(path)
	f.must(err)
	text := strings.ReplaceAll(string(content), "FirewallBackend="+NFTables, "FirewallBackend="+name)
	f.must(os.WriteFile(path, []byte(strings.ReplaceAll(text, "FirewallBackend="+IPTables, "FirewallBackend="+name)), 0o644))
}

// Start starts firewalld and returns when it answers.
func (f *Firewalld) Start() {
	f.t.Helper()
	f.daemon, f.done = f.command("/usr/sbin/firewalld", "--nofork", "--nopid"), make(chan struct{})
	f.must(f.daemon.Start())
	go func(daemon *exec.Cmd, done chan struct{}) { _ = daemon.Wait(); close(done) }(f.daemon, f.done)
	f.until("firewalld answers", func() bool { return f.owned() })
}

// Stop ends firewalld. One that does not run is no error.
func (f *Firewalld) Stop() {
	if f.daemon == nil {
		return
	}
	_ = f.daemon.Process.Signal(os.Interrupt)
	select {
	case <-f.done:
	case <-time.After(10 * time.Second):
		_ = f.daemon.Process.Kill()
		<-f.done
	}
	f.daemon = nil
}

// Reload does what an admin's firewall-cmd --reload does.
func (f *Firewalld) Reload() { f.t.Helper(); f.Call("org.fedoraproject.FirewallD1.reload") }

// Impostor lets a user take firewalld's name on the bus and answer nothing.
func (f *Firewalld) Impostor(uid int) {
	f.t.Helper()
	const program = "import dbus, time; name = dbus.service.BusName('org.fedoraproject.FirewallD1', dbus.SystemBus()); print('ready', flush=True); time.sleep(600)"
	cmd := exec.CommandContext(context.WithoutCancel(f.t.Context()), "chroot", "--userspec="+strconv.Itoa(uid), f.root, "python3", "-c", "import dbus.service; "+program)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	f.must(err)
	f.must(cmd.Start())
	f.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	_, err = out.Read(make([]byte, 16))
	f.must(err)
}

// Mute lets root take firewalld's name and answer nothing. It returns a channel that tells
// when it is called.
func (f *Firewalld) Mute() <-chan struct{} {
	f.t.Helper()
	const program = `
import dbus, dbus.service, dbus.mainloop.glib
from gi.repository import GLib
dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SystemBus()
bus.set_exit_on_disconnect(False)
def asked(_, message):
    if message.get_type() == 1 and message.get_destination() == bus.get_unique_name(): print("asked", flush=True); return 0
bus.add_message_filter(asked)
name = dbus.service.BusName("org.fedoraproject.FirewallD1", bus)
print("ready", flush=True)
GLib.MainLoop().run()`
	cmd := f.command("python3", "-c", program)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	f.must(err)
	f.must(cmd.Start())
	lines, told := bufio.NewScanner(out), make(chan struct{}, 1)
	f.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if !lines.Scan() {
		f.t.Fatal("it does not get ready")
	}
	go func() {
		defer close(told)
		for lines.Scan() {
			select {
			case told <- struct{}{}:
			default: // it is known already
			}
		}
	}()
	return told
}

// Call calls a method of firewalld's main object, past all that is tested.
func (f *Firewalld) Call(method string, args ...string) string {
	f.t.Helper()
	argv := []string{"dbus-send", "--system", "--print-reply=literal", "--dest=org.fedoraproject.FirewallD1", "/org/fedoraproject/FirewallD1", method}
	out, err := f.command(append(argv, args...)...).CombinedOutput()
	if err != nil {
		f.t.Fatalf("%s: %v: %s", method, err, out)
	}
	return strings.TrimSpace(string(out))
}

// Output runs a program in firewalld's root, which must end well.
func (f *Firewalld) Output(argv ...string) string {
	f.t.Helper()
	out, err := f.command(argv...).CombinedOutput()
	if err != nil {
		f.t.Fatalf("%s: %v: %s", strings.Join(argv, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f *Firewalld) owned() bool {
	out, err := f.command("dbus-send", "--system", "--print-reply=literal", "--dest=org.fedoraproject.FirewallD1",
		"/org/fedoraproject/FirewallD1", "org.freedesktop.DBus.Properties.Get", "string:org.fedoraproject.FirewallD1", "string:state").Output()
	return err == nil && strings.Contains(string(out), "RUNNING")
}

func (f *Firewalld) command(argv ...string) *exec.Cmd {
	cmd := exec.CommandContext(context.WithoutCancel(f.t.Context()), "chroot", append([]string{f.root}, argv...)...)
	cmd.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C"}
	return cmd
}

func (f *Firewalld) path(name string) string { return filepath.Join(f.root, name) }

func (f *Firewalld) until(what string, yes func() bool) {
	f.t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !yes(); <-tick.C {
		if time.Now().After(end) {
			f.must(errors.New("not in time: " + what))
		}
	}
}

func (f *Firewalld) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}
