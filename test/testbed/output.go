package testbed

import "strings"

// Failures returns what the tests that failed printed, of all that `go test -v` printed in
// a virtual machine: hundreds of lines tell of those that passed. Without a failure that
// has a name it is all of it.
func Failures(output string) string {
	printed := map[string]string{}
	var test, failed string
	for line := range strings.Lines(output) {
		words := strings.Fields(line)
		switch {
		case len(words) == 3 && words[0] == "===":
			test = words[2]
		case len(words) == 4 && words[0] == "---" && words[1] == "FAIL:":
			failed += printed[words[2]] + line
			delete(printed, words[2])
		case len(words) < 2 || words[0] != "---":
			printed[test] += line
		}
	}
	if failed == "" {
		return output
	}
	return failed
}
