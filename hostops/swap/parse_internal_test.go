package swap

import (
	"path"
	"strings"
	"testing"
)

const heading = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"

func TestTableOfAreas(t *testing.T) {
	got, err := parseSwaps(heading +
		"/dev/sda2                               partition\t1048572\t\t512\t\t-2\n" +
		`/var/swap\040a\134b\040(deleted)         file` + "\t\t1024\t\t0\t\t10\n")
	want := []area{
		{path: "/dev/sda2", kind: "partition", size: 1048572, used: 512, priority: -2},
		{path: `/var/swap a\b`, deleted: true, kind: "file", size: 1024, priority: 10},
	}
	if err != nil || len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"/a file 1 1", "a file 1 1 1", "/a file x 1 1", "/a file 1 -1 1", "/a file 1 1 p"} {
		if got, err := parseSwaps(heading + bad + "\n"); err == nil {
			t.Errorf("%q gave %+v", bad, got)
		}
	}
	if got, err := parseSwaps(heading); len(got) != 0 || err != nil {
		t.Errorf("the heading alone gave %+v, %v", got, err)
	}
}

func FuzzSwaps(f *testing.F) {
	f.Add(heading + "/dev/sda2 partition 1048572 512 -2\n")
	f.Add(heading + `/a\040b\777\ file 1 1 1`)
	f.Add("")
	f.Fuzz(func(t *testing.T, content string) {
		areas, err := parseSwaps(content)
		if err != nil && areas != nil {
			t.Error("areas with an error")
		}
		for _, a := range areas {
			if !path.IsAbs(a.path) {
				t.Errorf("path %q", a.path)
			}
			if p, err := parsePriority(a.state()); err != nil || p != a.priority && (p >= 0 || a.priority >= 0) {
				t.Errorf("priority %d became %d, %v", a.priority, p, err)
			}
		}
	})
}

func FuzzPlaces(f *testing.F) {
	f.Add("UUID=a none swap sw,pri=5 0 0\n#x\n \n")
	f.Add("[Swap]\nWhat=/a\nSourcePath=/etc/fstab")
	f.Add("[zram0]\n[zram\nswap:\n  filename: 'x'\n\tfilename:")
	f.Fuzz(func(t *testing.T, content string) {
		for _, s := range append(append(parseFstab(content), parseUnit("u", content)...), append(parseZram("z", content), parseCloud("c", content)...)...) {
			if s.Line < 1 || s.Line > 1+strings.Count(content, "\n") {
				t.Errorf("%+v of %q", s, content)
			}
		}
	})
}
