package service

import (
	"log/slog"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/keep"
)

func TestEachEventHasAnIDThatThePageNames(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, e := range []keep.Event{keep.EventChanged, keep.EventWaiting, keep.EventUnmet, keep.EventHolds} {
		field := journalField(nil, e.Attr())
		id := field.Value.String()
		if field.Key != "MESSAGE_ID" || !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(id) || seen[id] {
			t.Errorf("%s is %s=%s", e, field.Key, id)
		}
		seen[id] = true
		if !strings.Contains(string(page), "| "+id+" |") {
			t.Errorf("docs/operations.md does not name %s, the id of %s", id, e)
		}
	}
	if field := journalField(nil, slog.String("cause", "drift")); field.Key != "HOSTPROFILE_CAUSE" || field.Value.String() != "drift" {
		t.Errorf("%s=%s", field.Key, field.Value)
	}
}
