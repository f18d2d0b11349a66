package boot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

func site(sysctls string) string {
	return "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec: {nodeSelector: {}, sysctls: [" + sysctls + "]}\n"
}

const (
	forward = "{name: net.ipv4.ip_forward, value: 1}"
	file    = "/srv/site.yaml"
)

// TestInAContainer tells what can be told without a kernel of its own: root of this
// container may write net.* and nothing else, which is what refuses a setting here.
func TestInAContainer(t *testing.T) {
	n := settle(t, testbed.StartContainer(t, testbed.ContainerOptions{}))
	n.story("an image boots as its first clone and is given back", containerIsAnImage)
	n.story("what up accepted is right before kubelet starts", containerBoots)
	n.story("a kubelet waits for what is refused, and everybody says why", containerWaits)
	n.story("a killed resident comes back", func(n *node) { n.kill(20) })
	n.story("drift is repaired and is in the journal, and an end comes at once", containerKeeps)
	n.story("up and down at once beside a resident leave a whole host", containerAtOnce)
	n.story("a host that was given back holds up nobody", containerRests)
}

func containerBoots(n *node) {
	n.write(file, site(forward))
	n.bootstrap(0, "up -f "+file)
	n.until("systemctl is-active -q hostprofile")
	n.sh("systemctl start kubelet")
	n.mustHaveSeen("net/ipv4/ip_forward = 1")
	n.sh("rm /etc/sysctl.d/zz-hostprofile.conf") // so that only the unit can
	n.reboot()
	n.mustHaveSeen("net/ipv4/ip_forward = 1")
	n.is("systemctl is-active hostprofile", "active")
	n.is("systemctl show -P StatusText hostprofile", "all that is required holds")
	if said := n.bootstrap(0, "status"); !strings.Contains(said, "Repaired by: hostprofile.service (pid "+n.sh("systemctl show -P MainPID hostprofile")+").") {
		n.t.Errorf("status says: %s", said)
	}
}

func containerWaits(n *node) {
	n.sh("systemctl stop kubelet hostprofile && rm -r /run/hostprofile " + seen)
	other := "0"
	if n.sh("cat /proc/sys/vm/overcommit_memory") == other {
		other = "1"
	}
	n.write(file, site(forward+", {name: vm.overcommit_memory, value: "+other+"}"))
	n.bootstrap(1, "up -f "+file)
	n.sh("systemctl start --no-block kubelet")
	n.until("systemctl status hostprofile | grep -q vm.overcommit_memory")
	want := "kubelet is waiting for vm.overcommit_memory: is "
	status := n.sh("systemctl show -P StatusText hostprofile")
	if !strings.HasPrefix(status, want) || !strings.Contains(status, "want "+other) {
		n.t.Errorf("status %q", status)
	}
	if said := n.bootstrap(1, "gate --wait 1s"); strings.TrimSpace(said) != status {
		n.t.Errorf("the gate says %q, the unit %q", said, status)
	}
	n.is("systemctl is-active hostprofile kubelet || true", "activating\ninactive")
	// Nor does it start for somebody who passes the order of units by.
	n.sh("! systemctl start --job-mode=ignore-dependencies kubelet 2>&1 && systemctl stop kubelet")
	n.sh("journalctl -u kubelet --no-pager | grep -q ': " + want + "'")
	if n.saw() != "" {
		n.t.Error("kubelet started")
	}
	n.write(file, site(forward))
	n.bootstrap(0, "up -f "+file)
	n.until("systemctl is-active -q hostprofile")
	n.sh("systemctl start kubelet")
	n.mustHaveSeen("net/ipv4/ip_forward = 1")
}

func containerKeeps(n *node) {
	n.sh("echo 0 >/proc/sys/net/ipv4/ip_forward")
	n.until("grep -q 1 /proc/sys/net/ipv4/ip_forward")
	n.until(`journalctl -u hostprofile -g "^changed sysctl/net.ipv4.ip_forward from 0 to 1" -o json >/run/lines`)
	var fields map[string]string
	if err := json.Unmarshal([]byte(strings.Split(n.sh("tail -n 1 /run/lines"), "\n")[0]), &fields); err != nil {
		n.t.Fatal(err)
	}
	for name, want := range map[string]string{"KEY": "sysctl/net.ipv4.ip_forward", "FROM": "0", "TO": "1", "PROFILE": "site", "CAUSE": "drift"} {
		if got := fields["HOSTPROFILE_"+name]; got != want {
			n.t.Errorf("HOSTPROFILE_%s is %q, want %q", name, got, want)
		}
	}
	// The lines of docs/operations.md can be found by what they are about.
	for id, words := range map[string]string{"395dd54350084e938110d345081f48fe": "changed sysctl/net.ipv4.ip_forward", "794095d3f2ae4dadb220f847f392666d": "kubelet is waiting for", "95c53f402733445b8fbaa58018e14663": "all that is required holds"} {
		if said := n.sh("journalctl --no-pager -o cat MESSAGE_ID=" + id); !strings.Contains(said, words) {
			n.t.Errorf("under %s the journal has %q", id, said)
		}
	}
	n.t.Log(n.sh("grep RssAnon /proc/$(systemctl show -P MainPID hostprofile)/status")) // what it costs to stay
	written := "find /etc /var/lib/hostprofile /run/hostprofile -newer /run/before -type f"
	n.sh("touch /run/before && timeout 10 systemctl stop hostprofile")
	n.is(written, "/run/hostprofile/resident.lock") // the note of its holder
	n.is("systemctl show -P Result hostprofile", "success")
	n.sh("systemctl start hostprofile")
}

func containerAtOnce(n *node) {
	n.sh("for i in 1 2 3; do " + remote + " up -f " + file + " >/dev/null & " + remote + " down --yes >/dev/null & " +
		"echo 0 >/proc/sys/net/ipv4/ip_forward; " + remote + " up >/dev/null 2>&1 & wait; done")
	n.bootstrap(0, "up -f "+file)
	n.is("cat /proc/sys/net/ipv4/ip_forward", "1")
	if said := n.bootstrap(0, "up"); !strings.Contains(said, "0 written") {
		n.t.Errorf("there is something left to do: %s", said)
	}
	n.bootstrap(0, "status")
	n.sh("! journalctl -b -u hostprofile --no-pager | grep -E 'unreadable|lost|damaged'")
}

// A give-back that was broken off has left its marker, and the unit.
func containerRests(n *node) {
	n.sh("touch /var/lib/hostprofile/disabled")
	n.reboot()
	n.mustHaveSeen()
	n.is("systemctl is-active hostprofile", "active")
	if status := n.sh("systemctl show -P StatusText hostprofile"); !strings.HasPrefix(status, "given back by 'bootstrap down'") {
		n.t.Errorf("status %q", status)
	}
	n.is("ls -A /run/hostprofile 2>/dev/null || true", "")
	n.bootstrap(0, "down --yes")
	n.reboot()
	n.mustHaveSeen()
	n.sh("! systemctl cat hostprofile && ! test -e /run/hostprofile")
	n.is("ls /etc/systemd/system/*.d/10-hostprofile.conf 2>/dev/null || true", "")
}
