package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const imageSite = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata: {name: site}
spec: {nodeSelector: {}, sysctls: [{name: vm.swappiness, value: 10}], kernelModules: [{name: br_netfilter}], swap: Disabled, nodeIP: {publish: EnvironmentFile}}
`

func imageWorld(t *testing.T) *world {
	w := newWorld(t, fake.HasSystemd())
	w.host.PutFile("/usr/lib/systemd/systemd", "")
	w.host.SetSelf("/home/ann/bootstrap", "program")
	return w
}

func TestAnImageIsPrepared(t *testing.T) {
	w := imageWorld(t)
	site := w.file("site.yaml", imageSite)
	golden(t, "image-plan.txt", w.must(0, "plan", "-f", site, "--root", "/mnt/image"))
	golden(t, "image-up.txt", w.must(0, "up", "-f", site, "--root", "/mnt/image"))
	golden(t, "image-status.txt", w.must(0, "status", "-v", "--root", "/mnt/image"))
	if again := w.must(0, "up", "--image", "-o", "json"); !strings.Contains(again.stdout, `"firstBoot": {`) || !strings.Contains(again.stdout, `"nodeIP": true`) {
		t.Errorf("%s", again.stdout)
	}
	golden(t, "image-down.txt", w.must(0, "down", "--yes", "--root", "/mnt/image"))
	w.must(0, "status", "--expect-clean")
}

// TestABuildHostSaysThatItIsOne: what is prepared is not in force on it, and no boot shall be
// missed in a status that says it is.
func TestABuildHostSaysThatItIsOne(t *testing.T) {
	w := imageWorld(t)
	w.host.PutFile("/etc/machine-id", "11111111111111111111111111111111\n")
	w.host.AddIP("eth0", "192.0.2.10/24")
	w.host.AddSwap(fake.Swap{Path: "/dev/sdz9", Size: 1 << 30})
	site := w.file("site.yaml", imageSite)
	w.must(0, "up", "-f", site, "--image")
	golden(t, "image-build-host.txt", w.must(1, "status"))
	golden(t, "image-build-host-all.txt", w.must(1, "status", "-v"))
	if said := w.must(1, "status", "-o", "json"); !strings.Contains(said.stdout, `"state": "Prepared"`) {
		t.Errorf("%s", said.stdout)
	}
	golden(t, "image-build-host-files.txt", w.must(0, "status", "--image"))
	w.must(2, "status", "--image", "--expect-clean")
	w.must(2, "status", "--image", "--root", "/mnt")
	w.host.Delete("/etc/sysctl.d/zz-hostprofile.conf")
	w.must(1, "status", "--image")
	w.must(0, "up", "--image")
	w.must(0, "up")
	if said := w.must(0, "status"); !strings.Contains(said.stdout, "Ready.") {
		t.Errorf("once it was brought up, it says\n%s", said.stdout)
	}
}

func TestAnImageAndAHostAreNotMixed(t *testing.T) {
	w := imageWorld(t)
	before := w.host.String()
	for _, line := range [][]string{
		{"up", "--image", "--root", "/mnt"}, {"plan", "--image", "--root", "/mnt"}, {"up", "--image", "--root", "/mnt", "--dry-run"},
		{"up", "--image", "--node-ip", "192.0.2.1"}, {"up", "--root", "/mnt", "--node-ip", "192.0.2.1"},
	} {
		w.must(2, append(line, "--profile", "kubernetes")...)
	}
	if w.host.String() != before {
		t.Error("something was written")
	}
	w.must(0, "up", "--profile", "kubernetes", "--no-unit")
	if a := w.must(3, "up", "--profile", "kubernetes", "--image"); !strings.Contains(a.stderr, "bootstrap down") {
		t.Errorf("%s", a.stderr)
	}
}
