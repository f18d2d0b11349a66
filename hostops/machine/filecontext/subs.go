package filecontext

import "strings"

// sub says that paths below from have the labels of those below to.
type sub struct{ from, to string }

func parseSubs(text string) []sub {
	var out []sub
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) >= 2 && words[0][0] != '#' {
			out = append(out, sub{words[0], words[1]})
		}
	}
	return out
}

// substitute returns the path whose label counts: first the admin's substitutes are taken,
// then those of the policy.
func (c *Contexts) substitute(path string) string {
	return apply(c.subsDist, apply(c.subs, path))
}

// apply takes the last line that is about the path.
func apply(subs []sub, path string) string {
	for i := len(subs) - 1; i >= 0; i-- {
		rest, ok := strings.CutPrefix(path, subs[i].from)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if instead := strings.TrimSuffix(subs[i].to, "/") + rest; instead != "" {
			return instead
		}
		return "/"
	}
	return path
}
