package strace_test

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/test/strace"
)

func TestACallThatWasInterruptedIsOneCall(t *testing.T) {
	const text = `226   mkdirat(10</run>, "hostprofile", 0700 <unfinished ...>
227   write(1<pipe:[1]>, "x", 1 <unfinished ...>
226   <... mkdirat resumed>)            = -1 EEXIST (File exists)
228   fsync(5</etc/f>)                  = 0
229   write(7</etc/g>, "<unfinished ...>", 16) = 16
227   <... write resumed>)              = 1
230   fsync(6</etc/h> <unfinished ...>
`
	want := []string{
		`226 mkdirat(10</run>, "hostprofile", 0700)            = -1 EEXIST (File exists)`,
		`228   fsync(5</etc/f>)                  = 0`,
		`229   write(7</etc/g>, "<unfinished ...>", 16) = 16`,
		`227 write(1<pipe:[1]>, "x", 1)              = 1`,
		`230 fsync(6</etc/h>`,
	}
	if have := strace.Calls(text); !slices.Equal(have, want) {
		t.Errorf("have\n%q\nwant\n%q", have, want)
	}
}
