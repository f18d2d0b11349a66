package facts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Memory is a host's memory in bytes.
type Memory struct {
	Total     uint64
	Available uint64 // what programs could get without swapping
}

// ParseMeminfo reads /proc/meminfo. A kernel that does not say what is available is
// an error: free memory is something else.
func ParseMeminfo(text string) (Memory, error) {
	var m Memory
	found := false
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		var err error
		switch name {
		case "MemTotal":
			m.Total, err = kilobytes(value)
		case "MemAvailable":
			m.Available, err = kilobytes(value)
			found = err == nil
		}
		if err != nil {
			return Memory{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	if !found {
		return Memory{}, fmt.Errorf("no MemAvailable in /proc/meminfo")
	}
	return m, nil
}

func kilobytes(s string) (uint64, error) {
	f := strings.Fields(s)
	if len(f) != 2 || f[1] != "kB" {
		return 0, fmt.Errorf("%.32q is not a number of kB", s)
	}
	n, err := strconv.ParseUint(f[0], 10, 64)
	if err != nil || n > math.MaxUint64>>10 {
		return 0, fmt.Errorf("%.32q is not a number of kB", s)
	}
	return n << 10, nil
}
