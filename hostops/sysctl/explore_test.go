package sysctl_test

import (
	"os"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"fmt"
)

func snap() map[string]string {
	m := map[string]string{}
	filepath.WalkDir("/proc/sys/net", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() { return nil }
		b, err := os.ReadFile(p)
		if err == nil { m[strings.TrimPrefix(p, "/proc/sys/")] = strings.TrimSpace(string(b)) }
		return nil
	})
	return m
}

func TestExplore(t *testing.T) {
	if !inSandbox(t) { return }
	run(t, "ip", "link", "add", "v0", "type", "veth", "peer", "name", "v1")
	run(t, "ip", "addr", "add", "192.0.2.1/24", "dev", "v1")
	run(t, "ip", "link", "set", "v0", "up")
	before := snap()
	t.Log(len(before))
	for path, v := range before {
		if strings.Contains(path, "/v0/") || strings.Contains(path, "/v1/") || strings.Contains(path, "/lo/") { continue }
		n, err := strconv.Atoi(v)
		if err != nil { continue }
		for _, nv := range []int{1-n, n+1, n-1, n} {
			b := snap()
			if os.WriteFile("/proc/sys/"+path, []byte(fmt.Sprint(nv)+"\n"), 0) != nil { continue }
			a := snap()
			for k := range a {
				if a[k] != b[k] && k != path && !strings.Contains(k, "nf_conntrack_count") {
					t.Logf("%s %s->%d: %s %s -> %s", path, b[path], nv, k, b[k], a[k])
				}
			}
		}
	}
}
