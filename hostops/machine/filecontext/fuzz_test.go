package filecontext_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

// FuzzLookup: no policy and no path panics, and what is found is in the policy.
func FuzzLookup(f *testing.F) {
	f.Add(policy, "/srv/b(/.*)? a:b:c", "/alias /etc", "/etc/secret/more")
	f.Add("/ u:r:t\n", "", "/ /\n", "/")
	f.Add("( a\n/[ b\n/x{1 c\n\\ d", "* -- e", "a  b\nc", "/x{1")
	f.Add("/a/\\ u:r:t", "#", "/a /b\n/b /a", "/a/b")
	f.Add("(a|/b/c -d x", "/(?P<n>a) y", "/b/ /c/", "/b/c")
	f.Fuzz(func(t *testing.T, main, local, subs, path string) {
		if path == "" || path[0] != '/' {
			t.Skip("callers give absolute paths only")
		}
		c := filecontext.Parse(filecontext.Files{Main: main, Local: local, Subs: subs, SubsDist: subs})
		got, err := c.Lookup(path, filecontext.Regular)
		if err != nil && got != "" {
			t.Errorf("both an answer and an error: %q, %v", got, err)
		}
		again, _ := c.Lookup(path, filecontext.Regular)
		if again != got {
			t.Errorf("%q, then %q", got, again)
		}
		if parsed, ok := filecontext.ParseContext(got); ok && parsed.String() != got {
			t.Errorf("%q is put together as %q", got, parsed)
		}
	})
}
