package hostops_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// everything is a profile that makes bring-up write all that it can write for one way of
// publishing the address.
func everything(t *testing.T, publish string) []v1alpha1.HostProfile {
	t.Helper()
	return append(builtinProfiles(t, "kubernetes", "cilium"), siteProfile(t,
		`directories: [{path: /opt/cni/bin}]`+"\n  nodeIP: {publish: "+publish+", address: \"192.0.2.10\", whenAddressMissing: Start, waitSeconds: 0}")...)
}

// tree returns the files and folders of a host, with the mode of each.
func tree(t *testing.T, m *machine.Machine, at string, into map[string]fs.FileMode) map[string]fs.FileMode {
	t.Helper()
	info, err := m.Files.Lstat(at)
	if err != nil {
		t.Fatal(err)
	}
	into[at] = info.Mode()
	if !info.IsDir() {
		return into
	}
	names, err := m.Files.ReadDir(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		tree(t, m, path.Join(at, name), into)
	}
	return into
}

// TestTheFootprintIsWhatIsWritten: nothing is written outside of it, and everything in it
// is written by one bring-up or another.
func TestTheFootprintIsWhatIsWritten(t *testing.T) {
	promised, written := map[string]bool{}, map[string]bool{}
	for _, publish := range []string{"EnvironmentFile", "Kubeadm", "K3s", "RKE2"} {
		h := fake.New(fake.HasFirewalld("nftables"), fake.HasSystemd())
		h.SetSelf("/home/ann/bootstrap", "program")
		h.MountReadOnly("/usr", publish == "K3s")
		h.Delete("/etc/sysctl.d") // as a stateless /etc is
		h.Delete("/etc/modules-load.d")
		h.PutDir("/etc/systemd/system", 0o755)
		m := h.Start().Machine()
		before := tree(t, m, "/", map[string]fs.FileMode{})
		profiles := everything(t, publish)
		footprint, err := openWith(t, h, withUnit()).Footprint(profiles)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := openWith(t, h, withUnit()).Up(t.Context(), profiles, hostops.UpOptions{}); err != nil {
			t.Fatal(err)
		}
		for at, mode := range tree(t, m, "/", map[string]fs.FileMode{}) {
			if was, there := before[at]; there && was == mode {
				continue
			}
			owner := inFootprint(footprint, at)
			if owner == "" {
				t.Errorf("%s: %s was written and is not in the footprint", publish, at)
			}
			written[owner] = true
		}
		for _, p := range footprint {
			promised[p] = true
		}
		if again, err := open(t, h).Footprint(nil); err != nil || !slices.Equal(again, footprint) {
			t.Errorf("afterwards the footprint is %q, %v; before %q", again, err, footprint)
		}
	}
	for p := range promised {
		if !written[p] && p != paths.RunDir { // which is left again
			t.Errorf("%s is in the footprint, and nothing wrote it", p)
		}
	}
}

// inFootprint returns the path of the footprint that a path belongs to, empty if it
// belongs to none.
func inFootprint(footprint []string, at string) string {
	for _, p := range footprint {
		ours := p == paths.StateDir || p == paths.RunDir
		if at == p || ours && strings.HasPrefix(at, p+"/") || p == zonefile.Path("trusted") && strings.HasPrefix(at, path.Dir(p)) {
			return p
		}
	}
	return ""
}
