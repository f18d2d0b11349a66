package host_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// worstExposure is what systemd-analyze may say of the unit at most, of ten. It cannot be
// much less for one that may change the whole host.
const worstExposure = 6.5

// units is all that a bring-up may leave outside of our own folders and of the kernel.
const units = "find /etc /usr/local /opt /run/systemd/system -xdev ! -path '/etc/mtab' -printf '%p %y %m %l\\n' | sort; systemctl list-unit-files --no-legend --no-pager hostprofile.service || true"

func TestTheUnitOnARealSystemd(t *testing.T) {
	s := newSystemd(t)
	before := s.sh(units)
	s.write("/srv/test/site.yaml", site("{name: net.ipv4.ip_forward, value: 1}"), 0o644)
	up := func(args ...string) string {
		t.Helper()
		return testbed.Output(t, s, append([]string{"/srv/test/bootstrap", "up", "-f", "/srv/test/site.yaml"}, args...)...)
	}
	runs := func() {
		t.Helper()
		s.sh("timeout 60 sh -c 'until systemctl is-active -q hostprofile; do sleep 0.1; done'")
		if got := s.sh("systemctl show -P UnitFileState -P NeedDaemonReload -P NRestarts hostprofile; systemctl is-enabled hostprofile"); got != "0\nenabled\nno\nenabled" && got != "enabled\nno\n0\nenabled" {
			t.Errorf("the unit is %q", got)
		}
	}

	t.Run("anybody may look", func(t *testing.T) {
		out := s.sh("chmod 755 /srv/test && setpriv --reuid=65534 --regid=65534 --clear-groups /srv/test/bootstrap plan -f /srv/test/site.yaml")
		if !strings.Contains(out, "+ hostprofile.service") {
			t.Errorf("plan says\n%s", out)
		}
	})
	t.Run("it is installed, enabled and started", func(t *testing.T) {
		t.Log(up())
		runs()
		if again := up(); !strings.Contains(again, "Nothing to do") {
			t.Errorf("the second run says\n%s", again)
		}
	})
	t.Run("systemd finds no fault in it", func(t *testing.T) {
		if out := s.sh("systemd-analyze verify --man=no /etc/systemd/system/hostprofile.service kubelet.service 2>&1"); out != "" {
			t.Errorf("verify says\n%s", out)
		}
		out := s.sh("systemd-analyze security --no-pager hostprofile.service | tail -1")
		t.Log(out)
		score, err := strconv.ParseFloat(regexp.MustCompile(`[0-9]+\.[0-9]`).FindString(out), 64)
		if err != nil || score > worstExposure {
			t.Errorf("exposure %v, %v", score, err)
		}
	})
	t.Run("it is there after a boot, and opens the gate", func(t *testing.T) {
		if err := s.Reboot(t.Context()); err != nil {
			t.Fatal(err)
		}
		runs()
		s.sh("systemctl start kubelet && systemctl is-active kubelet")
		if pre := s.sh("systemctl show -P ExecStartPre kubelet"); !strings.Contains(pre, " gate hostprofile /usr/local/bin/bootstrap ") {
			t.Errorf("before kubelet systemd runs %q", pre)
		}
	})
	t.Run("drop-ins of others are respected", func(t *testing.T) {
		s.write("/etc/systemd/system/hostprofile.service.d/nice.conf", "[Service]\n", 0o644)
		s.sh("systemctl daemon-reload") // systemd does not notice a new folder by itself
		s.write("/etc/systemd/system/hostprofile.service.d/nice.conf", "[Service]\nNice=5\n", 0o644)
		up()
		if nice := s.sh("systemctl show -P Nice hostprofile; cat /etc/systemd/system/hostprofile.service.d/nice.conf"); nice != "5\n[Service]\nNice=5" {
			t.Errorf("it is %q", nice)
		}
		s.sh("rm -r /etc/systemd/system/hostprofile.service.d; systemctl daemon-reload")
	})
	t.Run("a mask is left alone", func(t *testing.T) {
		s.sh("ln -sf /dev/null /etc/systemd/system/hostprofile.service; systemctl daemon-reload; systemctl stop hostprofile")
		if out := up(); !strings.Contains(out, "is masked, and left so") {
			t.Errorf("up says\n%s", out)
		}
		if got := s.sh("readlink /etc/systemd/system/hostprofile.service; ls /etc/systemd/system/*.d/10-hostprofile.conf /usr/local/bin/bootstrap 2>/dev/null || true; systemctl restart kubelet && systemctl is-active kubelet"); got != "/dev/null\nactive" {
			t.Errorf("there is %q", got)
		}
		s.sh("rm /etc/systemd/system/hostprofile.service")
		up()
		runs()
	})
	t.Run("an old program is replaced, and runs no more", func(t *testing.T) {
		pid := s.sh("systemctl show -P MainPID hostprofile")
		s.sh("echo >>/srv/test/bootstrap")
		up()
		runs()
		if now := s.sh("systemctl show -P MainPID hostprofile; cmp /srv/test/bootstrap /usr/local/bin/bootstrap"); now == pid || now == "0" {
			t.Errorf("the process is %s, it was %s", now, pid)
		}
	})
	t.Run("down takes it away", func(t *testing.T) {
		out := s.sh("/usr/local/bin/bootstrap down --yes --purge && systemctl restart kubelet && systemctl is-active kubelet")
		t.Log(out)
		if after := s.sh(units); after != before {
			t.Errorf("new\n%s\ngone\n%s", besides(after, before), besides(before, after))
		}
		if u := s.sh("systemctl show -P LoadState -P ActiveState hostprofile"); u != "not-found\ninactive" && u != "inactive\nnot-found" {
			t.Errorf("systemd still knows it: %q", u)
		}
	})
}

// besides are the lines of a text that another has not.
func besides(text, other string) string {
	var out []string
	for line := range strings.Lines(text) {
		if !strings.Contains("\n"+other+"\n", "\n"+strings.TrimSuffix(line, "\n")+"\n") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}
