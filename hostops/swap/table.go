package swap

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"
)

// area is one line of /proc/swaps. Sizes are in KiB.
type area struct {
	path       string
	deleted    bool // the file was deleted while in use
	kind       string
	size, used uint64
	priority   int
}

const deletedMark = " (deleted)"

// parseSwaps reads /proc/swaps: a heading, then one area a line. Blanks and backslashes
// in a path are octal escapes.
func parseSwaps(content string) ([]area, error) {
	var areas []area
	number := 0
	for line := range strings.Lines(content) {
		f := strings.Fields(line)
		if number++; number == 1 || len(f) == 0 {
			continue
		}
		a, err := parseArea(f)
		if err != nil {
			return nil, fmt.Errorf("line %d of /proc/swaps: %w", number, err)
		}
		areas = append(areas, a)
	}
	return areas, nil
}

func parseArea(f []string) (a area, err error) {
	if len(f) != 5 {
		return a, fmt.Errorf("it has %d columns, not 5", len(f))
	}
	a.path, a.kind = unescape(f[0]), f[1]
	a.path, a.deleted = strings.CutSuffix(a.path, deletedMark)
	if !path.IsAbs(a.path) {
		return a, fmt.Errorf("%q is no path", a.path)
	}
	if a.size, err = strconv.ParseUint(f[2], 10, 64); err != nil {
		return a, fmt.Errorf("size: %w", err)
	}
	if a.used, err = strconv.ParseUint(f[3], 10, 64); err != nil {
		return a, fmt.Errorf("used: %w", err)
	}
	if a.priority, err = strconv.Atoi(f[4]); err != nil {
		return a, fmt.Errorf("priority: %w", err)
	}
	return a, nil
}

// escape makes a path text that unescape makes that path again.
func escape(path string) string {
	text := utf8.ValidString(path)
	if text && strings.IndexByte(path, '\\') < 0 {
		return path
	}
	var b strings.Builder
	for _, c := range []byte(path) {
		if c == '\\' || !text && c >= utf8.RuneSelf {
			fmt.Fprintf(&b, `\%03o`, c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// unescape replaces "\040" and the like, as the kernel and fstab spell blanks.
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
