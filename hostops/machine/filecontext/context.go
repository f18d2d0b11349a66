package filecontext

import (
	"slices"
	"strings"
)

// Context is a label taken apart: "system_u:object_r:etc_t:s0".
type Context struct {
	User, Role, Type string
	// Range has colons of its own. A policy without ranges has none.
	Range string
}

// ParseContext takes a label apart. It is false for what is none.
func ParseContext(label string) (Context, bool) {
	parts := strings.SplitN(label, ":", 4)
	if len(parts) < 3 || slices.Contains(parts, "") {
		return Context{}, false
	}
	c := Context{User: parts[0], Role: parts[1], Type: parts[2]}
	if len(parts) == 4 {
		c.Range = parts[3]
	}
	return c, true
}

func (c Context) String() string {
	s := c.User + ":" + c.Role + ":" + c.Type
	if c.Range != "" {
		s += ":" + c.Range
	}
	return s
}
