package packages_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/snapshot"
)

// manager is a package manager. Its lines end with the file or the name of a package, but
// for prepare, which makes the container a host for it.
type manager struct {
	suffix, prepare, install, upgrade, remove, purge string
}

// The database of rpm is where no snapshot looks, and empty: no package has /bin/sh, which
// our script asks for, or the folders that each distribution with rpm has.
var managers = map[string]manager{
	"deb": {suffix: ".deb", prepare: "true", install: "dpkg --install", upgrade: "dpkg --install", remove: "dpkg --remove", purge: "dpkg --purge"},
	"rpm": {
		suffix:  ".rpm",
		prepare: "mkdir -p /usr/share/licenses /usr/share/man/man1 && touch /usr/share/fish/vendor_completions.d/other.fish",
		install: "rpm --dbpath /run/rpm --nodeps --install", upgrade: "rpm --dbpath /run/rpm --nodeps --upgrade",
		remove: "rpm --dbpath /run/rpm --erase", purge: "rpm --dbpath /run/rpm --erase",
	},
}

const (
	site = "/etc/hostprofile/site.yaml"
	told = "this host stays as bootstrap has prepared it"

	// kubelet is one that can start only if the gate in front of it lets it.
	kubelet = "printf '[Service]\\nType=oneshot\\nExecStart=/bin/true\\n' >/run/systemd/system/kubelet.service && " +
		"systemctl daemon-reload && systemctl start kubelet && rm /run/systemd/system/kubelet.service && systemctl daemon-reload"

	profile = "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\n" +
		"spec:\n  nodeSelector: {}\n  sysctls:\n    - {name: net.ipv4.tcp_fin_timeout, value: 33}\n"
)

func TestTheLifeOfAPackage(t *testing.T) {
	for name, m := range managers {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.sh(m.prepare)
			before, files := h.look()
			h.sh(m.install + " " + h.push(older, m.suffix))
			h.hasWhatWeShip()
			h.sh("cat >" + site + " <<'END'\n" + profile + "END\nbootstrap up -f " + site)

			h.hasNot(m.upgrade+" "+h.push(newer, m.suffix), told)
			h.has("bootstrap version", "bootstrap "+newer+",")
			h.keeps()

			h.has(m.remove+" hostprofile", told)
			h.hasNot("ls /usr/bin", "bootstrap")
			h.keeps()
			h.sh(kubelet)

			h.sh(m.install + " " + h.push(newer, m.suffix))
			h.sh("bootstrap status && bootstrap down --yes && rm " + site)
			h.hasNot(m.purge+" hostprofile", told)
			h.isAsBefore(before, files)
		})
	}
}

// keeps wants the host to be prepared, with nothing lost.
func (h host) keeps() {
	h.t.Helper()
	h.has("cat /proc/sys/net/ipv4/tcp_fin_timeout", "33")
	h.has("cat /etc/sysctl.d/zz-hostprofile.conf", "net.ipv4.tcp_fin_timeout")
	h.has("cat "+site, "net.ipv4.tcp_fin_timeout")
	h.sh("test -s /var/lib/hostprofile/ledger.json")
}

// look takes a snapshot, and the list of what is below /usr, where no snapshot looks.
func (h host) look() (snapshot.Snapshot, string) {
	h.t.Helper()
	s, err := snapshot.Take(h.t.Context(), h)
	if err != nil {
		h.t.Fatal(err)
	}
	return s, h.sh(`find /usr -xdev -printf '%p %y %m %U:%G %l\n' | sort`)
}

// isAsBefore wants a host without a trace of us, but for the marker that down leaves.
func (h host) isAsBefore(before snapshot.Snapshot, files string) {
	h.t.Helper()
	after, left := h.look()
	for _, line := range snapshot.NotGivenBack(before, after) {
		h.t.Error(line)
	}
	was := strings.Split(files, "\n")
	is := strings.Split(left, "\n")
	for _, line := range notIn(is, was) {
		h.t.Error("+ " + line)
	}
	for _, line := range notIn(was, is) {
		h.t.Error("- " + line)
	}
}

// notIn lists the lines that are not among others.
func notIn(lines, others []string) []string {
	known := map[string]bool{}
	for _, o := range others {
		known[o] = true
	}
	var out []string
	for _, line := range lines {
		if !known[line] {
			out = append(out, line)
		}
	}
	return out
}
