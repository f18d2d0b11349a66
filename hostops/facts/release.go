package facts

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Release is a kernel's release string and the numbers in it.
type Release struct {
	// Raw is the string as uname gives it, empty if it could not be read.
	Raw string
	// Known: the numbers below were found.
	Known               bool
	Major, Minor, Patch int
	// EL8 is N of a RHEL 8 kernel, 4.18.0-N…el8…, which has much of later kernels;
	// 0 for all others.
	EL8 int
}

// ParseRelease takes the leading numbers of any release string that kernels are built
// with: "5.10.0-rc1+", "6.12.74+deb13+1-amd64", "4.18.0-553.el8_10.x86_64",
// "3.10-trunk-x". One without at least two numbers is an error, and Raw is set all
// the same.
func ParseRelease(raw string) (Release, error) {
	r := Release{Raw: raw}
	rest := raw
	var numbers [3]int
	found := 0
	for ; found < len(numbers); found++ {
		n, after, ok := number(rest)
		if !ok {
			break
		}
		numbers[found] = n
		if rest, ok = strings.CutPrefix(after, "."); !ok {
			rest = after
			found++
			break
		}
	}
	if found < 2 {
		return r, fmt.Errorf("%.64q does not begin with a version", raw)
	}
	r.Known = true
	r.Major, r.Minor, r.Patch = numbers[0], numbers[1], numbers[2]
	r.EL8 = el8(rest, r)
	return r, nil
}

// number cuts the leading digits off. More of them than an int can have are none.
func number(s string) (n int, rest string, ok bool) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, err := strconv.Atoi(s[:end])
	return n, s[end:], err == nil
}

func el8(rest string, r Release) int {
	build, ok := strings.CutPrefix(rest, "-")
	if !ok || r.Compare(4, 18, 0) != 0 || !strings.Contains(build, ".el8") {
		return 0
	}
	n, _, _ := number(build)
	return n
}

// Compare says whether the release is below (-1), at (0) or above (1) a version. Ask
// Known first: an unknown release compares as 0.0.0.
func (r Release) Compare(major, minor, patch int) int {
	return cmp.Or(cmp.Compare(r.Major, major), cmp.Compare(r.Minor, minor), cmp.Compare(r.Patch, patch))
}
