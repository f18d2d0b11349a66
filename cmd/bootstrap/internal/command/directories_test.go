package command_test

import "testing"

const folders = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  name: site
spec:
  nodeSelector: {}
  directories:
    - path: /opt/cni/bin
    - path: /srv/data
      mode: "0750"
      owner: {uid: 1000, gid: 1000}
    - path: /var/lib/kubelet
      mode: "0750"
`

// One directory is missing with what is above it, one is there with another mode, and one
// is behind the link of an admin.
func TestDirectoriesAreMadeAndGivenBack(t *testing.T) {
	w := newWorld(t)
	w.host.PutDir("/srv/data", 0o755)
	w.host.PutDir("/data/kubelet", 0o750)
	w.host.PutLink("/var/lib/kubelet", "/data/kubelet")
	file := w.file("site.yaml", folders)
	golden(t, "directories-plan.txt", w.must(0, "plan", "-v", "-f", file))
	golden(t, "directories-up.txt", w.must(0, "up", "-f", file))
	golden(t, "directories-up.json", w.must(0, "up", "-f", file, "-o", "json"))
	golden(t, "directories-status.txt", w.must(0, "status", "-v"))
	w.host.PutFile("/opt/cni/bin/theirs", "x")
	golden(t, "directories-down-dry-run.txt", w.must(0, "down", "--dry-run"))
	golden(t, "directories-down.txt", w.must(0, "down", "--yes"))
	if _, ok := w.host.File("/opt/cni/bin/theirs"); !ok {
		t.Error("somebody's file is gone")
	}
}

func TestADirectoryThatCannotBeMadeIsNamed(t *testing.T) {
	w := newWorld(t)
	w.host.PutDir("/srv", 0o755)
	w.host.PutLink("/srv/data", "/etc")
	w.host.Chown("/srv/data", 1000, 1000)
	w.host.PutFile("/opt/cni", "")
	file := w.file("site.yaml", folders)
	golden(t, "directories-foreign-plan.txt", w.must(0, "plan", "-f", file))
	golden(t, "directories-foreign-up.txt", w.must(1, "up", "-f", file))
	golden(t, "directories-foreign-status.txt", w.must(1, "status"))
}
