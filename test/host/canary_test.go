package host_test

import (
	"os"
	"testing"

	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestOtherPeoplesLiveSettingsStay: a file of the host sets a key otherwise than somebody
// has set it live since. Whoever makes systemd read all files again undoes that; we do not.
func TestOtherPeoplesLiveSettingsStay(t *testing.T) {
	c := testbed.StartContainer(t, testbed.ContainerOptions{})
	file, err := program.Shared()
	if err != nil {
		t.Fatal(err)
	}
	siteFile := t.TempDir() + "/site.yaml"
	if err := os.WriteFile(siteFile, []byte(site(forward)), 0o644); err != nil {
		t.Fatal(err)
	}
	for local, path := range map[string]string{file: "/srv/bootstrap", siteFile: "/srv/site.yaml"} {
		if err := c.Push(t.Context(), local, path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	const canary = "/proc/sys/net/ipv4/tcp_fin_timeout"
	testbed.Output(t, c, "sh", "-c", "echo net.ipv4.tcp_fin_timeout = 44 >/etc/sysctl.d/10-other.conf; echo 33 >"+canary)
	for _, args := range [][]string{{"up", "-f", "/srv/site.yaml"}, {"up"}, {"up"}, {"down", "--yes"}} {
		testbed.Output(t, c, append([]string{"/srv/bootstrap"}, args...)...)
		if got := testbed.Output(t, c, "cat", canary); got != "33" {
			t.Fatalf("after %v the setting of somebody else is %s", args, got)
		}
	}
	testbed.Output(t, c, "systemctl", "restart", "systemd-sysctl")
	if got := testbed.Output(t, c, "cat", canary); got != "44" {
		t.Errorf("reading all files again would not have been seen: the setting is %s", got)
	}
}
