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
