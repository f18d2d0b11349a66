package facts

import (
	"fmt"
	"strings"
)

// ParseMachineID reads machine-id(5): 32 lower-case hexadecimal digits. An empty file
// and the word "uninitialized" mean that the first boot makes one.
func ParseMachineID(text string) (string, error) {
	id := strings.TrimSpace(text)
	switch {
	case id == "" || id == "uninitialized":
		return "", nil
	case len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "":
		return "", fmt.Errorf("%.64q is not 32 hexadecimal digits", id)
	case strings.Trim(id, "0") == "":
		return "", fmt.Errorf("%s is no id", id)
	}
	return id, nil
}
