package main

import (
	"regexp"
	"strings"
	"time"
)

// described takes apart what `git describe --tags --always --dirty` prints.
var described = regexp.MustCompile(`^v?(\d[^-]*)(?:-(.*?))??(?:-(\d+)-(g[0-9a-f]+))?(-dirty)?$`)

// untagged is the commit where no tag is near: its hash.
var untagged = regexp.MustCompile(`^([0-9a-f]{7,40})(-dirty)?$`)

// spell spells a version as packages do, so that dpkg and rpm sort as people mean it: v1.2.3-rc.1
// is 1.2.3~rc.1, before 1.2.3; v1.2.3-4-gabc, four commits later, is 1.2.3+4.gabc. since is
// what stands for the +. Without a tag the time of the commit gives the order.
func spell(version, since string, date time.Time) string {
	if m := untagged.FindStringSubmatch(version); m != nil {
		return after("0.0.0", since, date.UTC().Format("20060102150405"), "g"+m[1], m[2])
	}
	m := described.FindStringSubmatch(version)
	if m == nil {
		return strings.ReplaceAll(strings.TrimPrefix(version, "v"), "-", "~")
	}
	base := m[1]
	if m[2] != "" {
		base += "~" + strings.ReplaceAll(m[2], "-", ".")
	}
	return after(base, since, m[3], m[4], m[5])
}

// after appends what came after a version; parts may be empty.
func after(base, since string, parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, strings.TrimPrefix(p, "-"))
		}
	}
	if len(kept) == 0 {
		return base
	}
	return base + since + strings.Join(kept, ".")
}
