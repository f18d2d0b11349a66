package dir_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// TestADirectoryBehindALinkIsMadeWhereTheLinkLeads: admins put such directories on another
// disk, and leave a link.
func TestADirectoryBehindALinkIsMadeWhereTheLinkLeads(t *testing.T) {
	h := fake.New()
	h.PutDir("/data/disk1", 0o755)
	h.PutLink("/data/disk", "disk1")
	h.PutLink("/etc/cni", "../data/disk")
	k := dir.Key("/etc/cni/net.d")
	op := dir.New(h.Machine())
	if s, err := op.Observe(t.Context(), k); s != item.Absent || err != nil {
		t.Fatalf("found %s, %v", s, err)
	}
	if err := op.Apply(t.Context(), k, item.Absent, dir.State(0o750)); err != nil {
		t.Fatal(err)
	}
	if s := observe(t, h, "/data/disk1/net.d"); s != dir.State(0o750) {
		t.Errorf("made %s", s)
	}
	if err := op.Apply(t.Context(), k, dir.State(0o750), item.Absent); err != nil || observe(t, h, "/data/disk1/net.d") != item.Absent {
		t.Errorf("it is still there: %v", err)
	}
}

func TestOnlyLinksOfRootAreFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		place func(*fake.Host)
		words []string
	}{
		"a link of a user": {func(h *fake.Host) { h.Chown("/srv/x", 1000, 0) }, []string{"/srv/x is a link that is not followed", "user 1000"}},
		"a link in a directory that everybody may write to": {func(h *fake.Host) {
			h.PutDir("/srv", 0o777|fs.ModeSticky)
			h.PutLink("/srv/x", "/etc")
		}, []string{"/srv/x", "/srv, which everybody may write to"}},
		"a link in a directory of a user": {func(h *fake.Host) { h.Chown("/srv", 1000, 1000) }, []string{"/srv/x", "/srv, which belongs to user 1000"}},
		"a link to a link of a user": {func(h *fake.Host) {
			h.PutLink("/srv/x", "/srv/y")
			h.PutLink("/srv/y", "/etc")
			h.Chown("/srv/y", 1000, 0)
		}, []string{"/srv/y", "user 1000"}},
		"a file on the way":          {func(h *fake.Host) { h.PutFile("/srv/x", "") }, []string{"/srv/x is there and is no directory"}},
		"a dangling link on the way": {func(h *fake.Host) { h.PutLink("/srv/x", "/data/disk") }, []string{"/srv/x is a link, and /data is not there"}},
		"a link to a dangling link": {func(h *fake.Host) {
			h.PutLink("/data", "/disk")
			h.PutDir("/disk", 0o755)
			h.PutLink("/srv/x", "/data/k")
		}, []string{"is a link, and /disk/k is not there"}},
	} {
		h := fake.New()
		h.PutLink("/srv/x", "/etc")
		c.place(h)
		k := dir.Key("/srv/x/y")
		op := dir.New(h.Machine())
		before := h.String()
		s, err := op.Observe(t.Context(), k)
		var e *item.Error
		if s != item.Unknown || !errors.As(err, &e) || e.Reason != dir.UnexpectedFile || e.Fix == "" {
			t.Errorf("%s: %s, %v", name, s, err)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(e.Message, word) {
				t.Errorf("%s: %q does not say %q", name, e.Message, word)
			}
		}
		if err := op.Apply(t.Context(), k, item.Absent, dir.State(0o755)); err == nil || h.String() != before {
			t.Errorf("%s: it was made: %v", name, err)
		}
	}
}

// TestALinkNeverLeadsOutOfTheHost: an absolute target is one of the mounted tree, and too
// many dots end at its root.
func TestALinkNeverLeadsOutOfTheHost(t *testing.T) {
	h := fake.New()
	h.PutLink("/etc/cni", "../../../../../../data")
	h.PutDir("/data", 0o711)
	if s := observe(t, h, path); s != dir.State(0o711) {
		t.Errorf("state %s", s)
	}
	h.PutLink("/etc/cni", "/")
	if s := observe(t, h, path); !s.Present() {
		t.Errorf("state of the root %s", s)
	}
}
