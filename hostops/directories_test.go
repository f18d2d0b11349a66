package hostops_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// directoryAt returns the state of a directory, Absent if there is none.
func directoryAt(t *testing.T, h *fake.Host, path string) item.State {
	t.Helper()
	s, err := dir.New(h.Start().Machine()).Observe(t.Context(), dir.Key(path))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestADirectoryIsMadeWithThoseAboveIt(t *testing.T) {
	h := fake.New()
	before := h.String()
	up(t, h, `directories: [{path: /opt/a/b, mode: "0700", owner: {uid: 7, gid: 8}}]`)
	for path, want := range map[string]string{"/opt": "0755 0:0", "/opt/a": "0755 0:0", "/opt/a/b": "0700 7:8"} {
		if s := directoryAt(t, h, path); s.Text() != want {
			t.Errorf("%s is %s, want %s", path, s, want)
		}
	}
	made := h.Mutations()
	up(t, h, `directories: [{path: /opt/a/b, mode: "0700", owner: {uid: 7, gid: 8}}]`)
	if n := h.Mutations() - made; n > 0 {
		t.Errorf("the second run changes %d things", n)
	}
	down(t, h)
	purge(t, h)
	if after := h.String(); after != before {
		t.Errorf("the host is not as before:\n%s\n%s", before, after)
	}
}

// purge removes what `down` leaves on purpose.
func purge(t *testing.T, h *fake.Host) {
	t.Helper()
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
}

func TestADirectoryThatIsThereKeepsWhatNobodyNames(t *testing.T) {
	h := fake.New()
	h.PutDir("/srv/x", 0o770|fs.ModeSetgid)
	h.Chown("/srv/x", 1000, 50)
	up(t, h, "directories: [{path: /srv/x}]")
	if s := directoryAt(t, h, "/srv/x"); s.Text() != "2770 1000:50" {
		t.Errorf("it is %s", s)
	}
	up(t, h, `directories: [{path: /srv/x, mode: "0750"}]`)
	if s := directoryAt(t, h, "/srv/x"); s.Text() != "0750 1000:50" {
		t.Errorf("it is %s", s)
	}
	up(t, h, "directories: [{path: /srv/x}]")
	if s := directoryAt(t, h, "/srv/x"); s.Text() != "2770 1000:50" {
		t.Errorf("with the wish for a mode gone it is %s", s)
	}
	down(t, h)
	if s := directoryAt(t, h, "/srv/x"); s.Text() != "2770 1000:50" {
		t.Errorf("given back it is %s", s)
	}
}

func TestADirectoryOfOursGoesOnlyIfItIsEmpty(t *testing.T) {
	h := fake.New()
	up(t, h, "directories: [{path: /opt/a/b}]")
	h.PutFile("/opt/a/theirs", "x")
	r := down(t, h)
	if res := resultOf(t, r, dir.Key("/opt/a/b")); res.Outcome != item.Restored || directoryAt(t, h, "/opt/a/b") != item.Absent {
		t.Errorf("%+v", res)
	}
	res := resultOf(t, r, dir.Key("/opt/a"))
	if res.Outcome != item.Left || !strings.Contains(res.Message, "/opt/a is not empty") {
		t.Errorf("%+v", res)
	}
	if text, ok := h.File("/opt/a/theirs"); !ok || text != "x" {
		t.Error("somebody's file is gone")
	}
}

// A volume that is still mounted keeps its record, so that a later run removes the
// directory.
func TestADirectoryUnderAMountIsGivenBackLater(t *testing.T) {
	h := fake.New()
	up(t, h, "directories: [{path: /opt/a}]")
	h.MountOver("/opt/a", true)
	r, err := open(t, h).Down(t.Context(), hostops.DownOptions{})
	if err != nil {
		t.Fatal(err)
	}
	res := resultOf(t, r, dir.Key("/opt/a"))
	if res.OK() || res.Reason != dir.UnexpectedFilesystem || !strings.Contains(res.Fix, "umount /opt/a") {
		t.Errorf("%+v", res)
	}
	h.MountOver("/opt/a", false)
	if res := resultOf(t, down(t, h), dir.Key("/opt/a")); !res.OK() || directoryAt(t, h, "/opt/a") != item.Absent {
		t.Errorf("%+v", res)
	}
}

// What is mounted on a directory looks otherwise than what we made, and is never taken for
// it.
func TestWhatIsMountedOnADirectoryIsNamed(t *testing.T) {
	h := fake.New()
	up(t, h, `directories: [{path: /opt/a, mode: "0750"}]`)
	h.PutDir("/opt/a", 0o755)
	h.SetMounts(append(h.Mounts(), fake.Mount{Path: "/opt/a", Filesystem: "xfs"})...)
	before := h.Mutations()
	planned, err := open(t, h).PlanDown(t.Context())
	if err != nil || h.Mutations() != before {
		t.Fatal(err)
	}
	for _, r := range []item.Report{planned, down(t, h)} {
		if res := resultOf(t, r, dir.Key("/opt/a")); res.Outcome != item.Left || !strings.Contains(res.Message, "something (xfs) is mounted on /opt/a") || res.Fix == "" {
			t.Errorf("%+v", res)
		}
	}
}

// A run that dies between the steps of one directory owns what it made of it.
func TestACrashInTheMiddleOfADirectoryIsRecovered(t *testing.T) {
	wish := `directories: [{path: /opt/a, mode: "0750", owner: {uid: 7, gid: 8}}, {path: /srv/x, mode: "0700", owner: {uid: 7, gid: 8}}]`
	fresh := func() *fake.Host {
		h := fake.New()
		h.PutDir("/srv/x", 0o755)
		return h
	}
	whole := fresh()
	before := whole.Mutations()
	up(t, whole, wish)
	ticks, original := 2*(whole.Mutations()-before), fresh().String()
	for tick := range ticks {
		for _, recover := range []string{"up", "down"} {
			h := fresh()
			h.StopAt(tick)
			_, err := open(t, h).Up(t.Context(), site(t, wish), hostops.UpOptions{})
			if err != nil && !errors.Is(err, fake.ErrDead) && !h.Dead() {
				t.Fatal(err)
			}
			h.Revive()
			if recover == "up" {
				up(t, h, wish)
				if directoryAt(t, h, "/opt/a").Text() != "0750 7:8" || directoryAt(t, h, "/srv/x").Text() != "0700 7:8" {
					t.Errorf("tick %d: not recovered:\n%s", tick, h)
				}
			}
			purge(t, h)
			if after := h.String(); after != original {
				t.Errorf("tick %d, then %s: not given back:\n%s", tick, recover, after)
			}
		}
	}
}

// What a kubelet is told lies below a directory that a profile may name as well.
func TestADirectoryMayHoldWhatIsPublished(t *testing.T) {
	h := fake.New()
	h.AddIP("eth0", "192.0.2.10/24")
	up(t, h, `directories: [{path: /etc/rancher/k3s, mode: "0750"}], nodeIP: {publish: K3s, waitSeconds: 0, subnets: ["192.0.2.0/24"]}`)
	if s := directoryAt(t, h, "/etc/rancher/k3s"); s.Text() != "0750 0:0" {
		t.Errorf("it is %s", s)
	}
}
