package dir_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/dir"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

var user = int64(1000)

// TestWhatAWishLeavesOpenStaysAsItIs: a wish for a mode is none for an owner.
func TestWhatAWishLeavesOpenStaysAsItIs(t *testing.T) {
	for _, c := range []struct {
		wish    item.State
		found   string // mode and owner, empty if there is none
		want    string
		compare item.Compare
	}{
		{dir.Wish("0700", nil, nil), "", "0700 0:0", item.Exact},
		{dir.Wish("0700", nil, nil), "/srv/user", "0700 1000:50", item.Exact},
		{dir.Wish("", &user, &user), "", "0755 1000:1000", item.Exact},
		{dir.Wish("", &user, &user), "/srv/user", "0711 1000:1000", item.Exact},
		{dir.Wish("0700", &user, &user), "/srv/user", "0700 1000:1000", item.Exact},
		{dir.Wish("", nil, nil), "", "0755 0:0", item.Present},
		{dir.Wish("", nil, nil), "/srv/user", "0755 0:0", item.Present},
	} {
		h := fake.New()
		h.PutDir("/srv/user", 0o711)
		h.Chown("/srv/user", 1000, 50)
		k := dir.Key("/srv/none")
		if c.found != "" {
			k = dir.Key(c.found)
		}
		single, patterns, err := dir.New(h.Machine()).Expand(t.Context(), []item.Want{{Key: k, State: c.wish, Required: true}})
		if err != nil || len(single) != 1 || len(patterns) > 0 {
			t.Fatal(single, patterns, err)
		}
		if w := single[0]; w.State.Text() != c.want || w.Compare != c.compare || !w.Required {
			t.Errorf("%s of %q becomes %+v", c.wish, c.found, w)
		}
	}
}

func TestTwoWishesBecomeOneIfTheyCan(t *testing.T) {
	for _, c := range []struct {
		a, b item.State
		want string // empty if they exclude each other
	}{
		{dir.Wish("0700", nil, nil), dir.Wish("", &user, &user), "0700 1000:1000"},
		{dir.Wish("", nil, nil), dir.Wish("0755", nil, nil), "0755 -"},
		{dir.Wish("0755", nil, nil), dir.Wish("0755", &user, &user), "0755 1000:1000"},
		{dir.Wish("0755", nil, nil), dir.Wish("0750", nil, nil), ""},
		{dir.Wish("0755", &user, &user), dir.Wish("0755", &user, new(int64)), ""},
	} {
		for _, pair := range [][2]item.State{{c.a, c.b}, {c.b, c.a}} {
			both, ok := dir.Both(pair[0], pair[1])
			if ok != (c.want != "") || ok && both.Text() != c.want {
				t.Errorf("%s and %s: %s, %v", pair[0], pair[1], both, ok)
			}
		}
	}
}
