package host_test

import (
	"strings"
	"testing"
)

const directories = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec:
  nodeSelector: {}
  directories:
    - {path: /var/lib/test-node/volumes, mode: "0750", owner: {uid: 7, gid: 8}}
    - {path: /var/lib/test-link/data, mode: "0700"}
    - {path: /var/lib/test-there, mode: "0750"}
`

// asked brings the directories up.
func (b *box) asked(code int) string {
	b.t.Helper()
	b.write("/run/test/site.yaml", directories)
	r := b.bootstrap(code, "up", "-f", "/run/test/site.yaml")
	return r.Stdout + r.Stderr
}

func (b *box) modes() string {
	b.t.Helper()
	return b.sh("find /var/lib/test-* /run/test/disk -printf '%p %m %U:%G %y\\n' | sort")
}

// A volume that is mounted below a directory of ours survives it, with all that is in it.
func TestDirectoriesAreGivenBackAndVolumesAreNot(t *testing.T) {
	b := newBox(t)
	b.sh("umask 0077; mkdir -p /run/test/disk; ln -s /run/test/disk /var/lib/test-link; mkdir /var/lib/test-there; chmod 2775 /var/lib/test-there; chown 5:6 /var/lib/test-there")
	before := b.modes()
	b.asked(0)
	for _, line := range []string{
		"/run/test/disk/data 700 0:0 d", "/var/lib/test-node 755 0:0 d", "/var/lib/test-node/volumes 750 7:8 d", "/var/lib/test-there 750 5:6 d",
	} {
		if made := b.modes(); !strings.Contains(made+"\n", line+"\n") {
			t.Errorf("no %q in\n%s", line, made)
		}
	}
	if said := b.bootstrap(0, "up").Stdout; !strings.Contains(said, "0 written") {
		t.Errorf("the second run says %s", said)
	}
	b.sh("mkdir /run/test/precious && echo x > /run/test/precious/file && mount --bind /run/test/precious /var/lib/test-node/volumes")
	for _, args := range [][]string{{"down", "--dry-run"}, {"down", "--yes", "--purge"}} {
		said := strings.Join(strings.Fields(b.bootstrap(0, args...).Stdout), " ")
		if !strings.Contains(said, "is mounted on /var/lib/test-node/volumes") || !strings.Contains(said, "umount /var/lib/test-node/volumes && rmdir") {
			t.Errorf("%v does not name the mount: %s", args, said)
		}
	}
	if got := b.sh("cat /run/test/precious/file /var/lib/test-node/volumes/file"); got != "x\nx" {
		t.Errorf("of the volume is left: %q", got)
	}
	b.sh("umount /var/lib/test-node/volumes && rmdir /var/lib/test-node/volumes /var/lib/test-node && rm -r /run/test/precious")
	if after := b.modes(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
	b.leavesNothing()
}

// Nobody but root leads us anywhere by a link.
func TestALinkOfSomebodyElseLeadsNowhere(t *testing.T) {
	b := newBox(t)
	b.sh("mkdir /run/test/disk; ln -s /etc /var/lib/test-link; chown -h 65534 /var/lib/test-link")
	before := b.sh("stat -c '%a %u' /etc")
	if said := b.asked(1); !strings.Contains(said, "/var/lib/test-link is a link that is not followed") {
		t.Errorf("it says %s", said)
	}
	if b.sh("ls -d /etc/data 2>&1 || true") == "/etc/data" || b.sh("stat -c '%a %u' /etc") != before {
		t.Error("/etc was changed")
	}
	b.bootstrap(0, "down", "--yes", "--purge")
	b.leavesNothing()
}
