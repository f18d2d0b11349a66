package linux

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAKeyIsFoundThoughItsFolderWasAnother(t *testing.T) {
	gone := t.TempDir() + "/gone"
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	fd, err := unix.Open(gone, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	s, err := openSysctls()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	const folder, key = "net/ipv4/conf", "net/ipv4/conf/lo/tag"
	k := keys{dir: s.few.dir, max: 1, near: folders{folder: fd}}
	defer k.dropAll()
	for range 2 {
		if got, err := k.read(key); err != nil || got == "" {
			t.Fatalf("%s reads as %q, %v", key, got, err)
		}
		k.drop(key)
	}
	if err := isProcfs(k.near[folder]); err != nil {
		t.Errorf("the folder that is kept: %v", err)
	}
	k.near.forget(key)
}

func TestFoldersTwoLevelsAboveAKey(t *testing.T) {
	for path, want := range map[string]string{
		"net/ipv4/conf/eth0/rp_filter": "net/ipv4/conf", "net/core/somaxconn": "net", "vm/swappiness": "", "x": "",
	} {
		if got := twoAbove(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
