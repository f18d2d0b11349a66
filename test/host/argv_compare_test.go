package host_test

import (
	"encoding/base64"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// compareArgv holds what processes wrote down, a count and that many words for each,
// against how they were meant to be called.
func compareArgv(t *testing.T, want [][]string, coded string) {
	t.Helper()
	text, err := base64.StdEncoding.DecodeString(coded)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	for i, argv := range want {
		if len(words) == 0 {
			t.Fatalf("%d of %d ran", i, len(want))
		}
		count, err := strconv.Atoi(words[0])
		if err != nil || count < 0 || len(words) < 1+count {
			t.Fatalf("call %d: the words %q make no sense", i, words[:min(len(words), 5)])
		}
		if got := words[1 : 1+count]; !slices.Equal(got, argv) {
			t.Fatalf("written %q, received %q", argv, got)
		}
		words = words[1+count:]
	}
	if len(words) > 0 {
		t.Errorf("%d words too many", len(words))
	}
}
