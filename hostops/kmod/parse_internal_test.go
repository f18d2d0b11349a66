package kmod

import (
	"strings"
	"testing"
)

func FuzzModulesBuiltin(f *testing.F) {
	f.Add("kernel/net/bridge/br_netfilter.ko\n", "br_netfilter")
	f.Add("kernel/a-b.ko", "a_b")
	f.Add(".ko\n/\n", "")
	f.Fuzz(func(t *testing.T, content, name string) {
		if listsBuiltin(content, name) && !strings.Contains(underscored(content), name) {
			t.Errorf("%q is said to be in %q", name, content)
		}
	})
}

func FuzzModprobe(f *testing.F) {
	f.Add("install a /bin/true\n#install b c\ninstall \\\nc /bin/false")
	f.Add("\\")
	f.Add("install [ x\nblacklist y")
	f.Fuzz(func(t *testing.T, content string) {
		for _, r := range parseModprobe("f", content) {
			if r.line < 1 || r.line > 1+strings.Count(content, "\n") || r.pattern == "" {
				t.Errorf("%q gives %+v", content, r)
			}
		}
	})
}
