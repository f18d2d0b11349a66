package profile_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/profile"
)

func directories(name, priority, entries string) string {
	return name + ": priority: " + priority + ", directories: [" + entries + "]"
}

func TestDirectoriesOfAllProfilesCount(t *testing.T) {
	const a, b = "{path: /opt/a, mode: \"0755\"}", "{path: /opt/b}"
	for _, c := range []struct {
		name  string
		specs []string
		want  string
	}{
		{"a union", []string{directories("p1", "0", a), directories("p2", "5", b)},
			"dir/opt/a=0755 - by p1; dir/opt/b=- - by p2"},
		{"the same twice", []string{directories("p1", "0", a), directories("p2", "0", a)},
			"dir/opt/a=0755 - by p1"},
		{"another mode at the same priority", []string{directories("p1", "0", a), directories("p2", "0", "{path: /opt/a, mode: \"0700\"}")},
			"conflict dir/opt/a at 0: p1, p2"},
		{"another owner at the same priority", []string{directories("p1", "0", "{path: /opt/a, owner: {uid: 1, gid: 1}}"), directories("p2", "0", "{path: /opt/a, owner: {uid: 1, gid: 2}}")},
			"conflict dir/opt/a at 0: p1, p2"},
		{"a conflict falls to the layer below", []string{directories("p1", "0", a), directories("p2", "0", "{path: /opt/a, mode: \"0700\"}"), directories("p3", "-1", "{path: /opt/a}")},
			"dir/opt/a=- - by p3; conflict dir/opt/a at 0: p1, p2"},
		{"another mode at a higher priority", []string{directories("p1", "0", a), directories("p2", "5", "{path: /opt/a, mode: \"0700\"}")},
			"dir/opt/a=0700 - by p2"},
		{"a mode and an owner", []string{directories("p1", "0", a), directories("p2", "0", "{path: /opt/a, owner: {uid: 7, gid: 8}}")},
			"dir/opt/a=0755 7:8 by p1"},
		{"a higher priority that leaves the mode open", []string{directories("p1", "0", a), directories("p2", "5", "{path: /opt/a}")},
			"dir/opt/a=0755 - by p1"},
	} {
		all := specs(t, c.specs...)
		for range 2 { // the order never matters
			if got := describe(profile.Compile(all)); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
			}
			all[0], all[len(all)-1] = all[len(all)-1], all[0]
		}
	}
	for _, w := range profile.Compile(specs(t, directories("p1", "0", a))).Desired.Wants {
		if !w.Required || w.SkipMissing {
			t.Errorf("%+v", w)
		}
	}
}
