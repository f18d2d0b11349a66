package testbed_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestContainer(t *testing.T) {
	c := testbed.StartContainer(t, testbed.ContainerOptions{})

	t.Run("runs systemd and firewalld", func(t *testing.T) {
		if got := testbed.Output(t, c, "systemctl", "is-system-running"); got != "running" {
			t.Errorf("the system is %q", got)
		}
		if got := testbed.Output(t, c, "firewall-cmd", "--state"); got != "running" {
			t.Errorf("firewalld is %q", got)
		}
		if got := testbed.Output(t, c, "hostname"); got != c.Name() {
			t.Errorf("the host name is %q, not %q", got, c.Name())
		}
	})
	t.Run("reports exit codes and output", func(t *testing.T) { reportsExitCodes(t, c) })
	t.Run("takes arguments as they are", func(t *testing.T) { takesArguments(t, c) })
	t.Run("kills a background program", func(t *testing.T) { killsBackgroundProgram(t, c) })
	t.Run("ends a program with its context", func(t *testing.T) { endsWithContext(t, c) })
	t.Run("takes a file", func(t *testing.T) { pushesFile(t, c) })
	t.Run("has only net sysctls of its own", func(t *testing.T) { hasOnlyNetSysctls(t, c) })
	t.Run("keeps files over a reboot", func(t *testing.T) { keepsFilesOverReboot(t, c) })
	t.Run("keeps files over a power cut", func(t *testing.T) { keepsFilesOverPowerCut(t, c) })
}

func TestPrivilegedContainer(t *testing.T) {
	c := testbed.StartContainer(t, testbed.ContainerOptions{Privileged: true})
	t.Run("has only net sysctls of its own", func(t *testing.T) { hasOnlyNetSysctls(t, c) })
	t.Run("mounts bpffs", func(t *testing.T) {
		testbed.Output(t, c, "mkdir", "/tmp/bpf")
		testbed.Output(t, c, "mount", "-t", "bpf", "bpf", "/tmp/bpf")
	})
	t.Run("keeps files over a reboot", func(t *testing.T) { keepsFilesOverReboot(t, c) })
}

func TestContainersRunSideBySide(t *testing.T) {
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := testbed.StartContainer(t, testbed.ContainerOptions{})
			testbed.Output(t, c, "touch", "/var/"+name)
			if got := testbed.Output(t, c, "sh", "-c", "ls -d /var/first /var/second 2>&- ; true"); got != "/var/"+name {
				t.Errorf("the %s container has %q", name, got)
			}
		})
	}
}

func TestContainerStopsTwice(t *testing.T) {
	c := testbed.StartContainer(t, testbed.ContainerOptions{})
	for range 2 {
		if err := c.Stop(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := c.Boot(t.Context()); err == nil {
		t.Error("a removed container boots")
	}
	if _, err := c.Run(t.Context(), "true"); err == nil {
		t.Error("a removed container runs a program")
	}
}

// hasOnlyNetSysctls opens files of /proc/sys for writing, which changes nothing
// even where it should have been refused.
func hasOnlyNetSysctls(t *testing.T, c *testbed.Container) {
	for _, name := range []string{"kernel/panic", "vm/swappiness", "fs/file-max"} {
		result, err := c.Run(t.Context(), "sh", "-c", ": 3<>/proc/sys/"+name)
		if err != nil {
			t.Fatal(err)
		}
		refused := strings.Contains(result.Stderr, "Read-only file system") || strings.Contains(result.Stderr, "Permission denied")
		if result.ExitCode == 0 || !refused {
			t.Errorf("%s can be opened for writing: %+v", name, result)
		}
	}
	const forward = "/proc/sys/net/ipv4/ip_forward"
	outside := read(t, forward)
	testbed.Output(t, c, "sh", "-c", "echo 1 >"+forward)
	testbed.Output(t, c, "sh", "-c", "echo 0 >"+forward)
	if got := read(t, forward); got != outside {
		t.Errorf("the machine's ip_forward changed from %q to %q", outside, got)
	}
}

func TestContainerIsGoneAfterStop(t *testing.T) {
	c := testbed.StartContainer(t, testbed.ContainerOptions{})
	if len(tracesOf(t, c.Name())) == 0 {
		t.Fatal("a running container leaves no trace: the search finds nothing")
	}
	if err := c.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if found := tracesOf(t, c.Name()); len(found) > 0 {
		t.Errorf("left behind: %v", found)
	}
}

// tracesOf finds what of the machine speaks of a host: processes, mounts, cgroup
// folders, and files below /run.
func tracesOf(t *testing.T, name string) []string {
	t.Helper()
	found := processesWith(t, name)
	for line := range strings.Lines(read(t, "/proc/self/mountinfo")) {
		if strings.Contains(line, name) || strings.Contains(line, "testbed/scratch") {
			found = append(found, "mount "+line)
		}
	}
	for _, pattern := range []string{
		"/sys/fs/cgroup/*", "/sys/fs/cgroup/*/*", "/run/*", "/run/systemd/*", "/run/systemd/*/*", "/run/systemd/*/*/*",
	} {
		files, err := filepath.Glob(pattern + name + "*")
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, files...)
	}
	return found
}
