package atomicfile_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/atomicfile/record"
)

// A power cut at any moment of a write leaves the old file or the new one, each
// whole; after the write has returned, the new one.
func TestAPowerCutLeavesAWholeFile(t *testing.T) {
	for _, a := range attempts {
		if a.name == "volatile" {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			p := a.begin(t)
			must(t, a.make(p.dir))
			start := record.Disk{}
			if a.old != "-" {
				start["f"] = a.old
			}
			states := 0
			record.Crashes(start, p.log.Calls, func(d record.Disk) {
				states++
				if got, ok := d["f"]; ok != (a.old != "-") && got != "new" || ok && got != a.old && got != "new" {
					t.Errorf("left %q, there %v", got, ok)
				}
			})
			t.Logf("%d states", states)
			record.CrashesAfter(start, p.log.Calls, func(d record.Disk) {
				if d["f"] != "new" {
					t.Errorf("after the write: %q", d)
				}
			})
		})
	}
}

// The check itself finds what each left out call would break.
func TestTheCrashCheckFindsWhatALeftOutCallBreaks(t *testing.T) {
	for name, keep := range map[string]func(c record.Call) bool{
		"without the file's fsync":      func(c record.Call) bool { return c.Op != "Fsync" || c.Dir },
		"without the directory's fsync": func(c record.Call) bool { return c.Op != "Fsync" || !c.Dir },
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.put("f", "old")
			must(t, atomicfile.Write(p.dir, "f", []byte("new"), 0o600))
			var calls []record.Call
			for _, c := range p.log.Calls {
				if keep(c) {
					calls = append(calls, c)
				}
			}
			found := false
			record.CrashesAfter(record.Disk{"f": "old"}, calls, func(d record.Disk) {
				found = found || d["f"] != "new"
			})
			if !found {
				t.Error("nothing was found")
			}
		})
	}
}
