package item_test

import (
	"encoding/json"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
)

func TestFileStateGivesBackEveryByte(t *testing.T) {
	for _, content := range []string{"", "a\n", "no newline", "\n\n", "caf\xe9\n", "\x00\xff", " base64\nYQ=="} {
		mode, got, err := item.FileState(0o640, []byte(content)).FileContent()
		if err != nil || mode != 0o640 || string(got) != content {
			t.Errorf("%q came back as %q, mode %o, %v", content, got, mode, err)
		}
	}
	if item.FileState(0o644, []byte("x")) == item.FileState(0o600, []byte("x")) {
		t.Error("the mode is no part of the state")
	}
}

func TestFileStateSurvivesTheLedgersText(t *testing.T) {
	for _, content := range []string{"caf\xe9\n", "\x00\xff", "text\u2028"} {
		want := item.FileState(0o644, []byte(content))
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got item.State
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Errorf("%q came back as %q, %v", content, got, err)
		}
	}
}

func TestFileContentOfSomethingElseIsAnError(t *testing.T) {
	for _, s := range []item.State{item.Unknown, item.Absent, item.Text(""), item.Text("0644"), item.Text("9999\nx"), item.Text("0644 base64\n!")} {
		if _, _, err := s.FileContent(); err == nil {
			t.Errorf("%q was taken for a file", s)
		}
	}
}
