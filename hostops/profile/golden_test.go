package profile_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Every file below testdata/bad is refused; next to it are the texts that people and
// programs get.
func TestBadInputIsShownWithItsPlaceAndTheWayOut(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			_, err = profile.Load("site.yaml", bytes.NewReader(text))
			errs := inputErrors(t, err)
			golden(t, strings.TrimSuffix(file, ".yaml")+".txt", asText(t, errs))
			golden(t, strings.TrimSuffix(file, ".yaml")+".json", asIndentedJSON(t, errs))
		})
	}
}

func golden(t *testing.T, file string, have []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, have, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s: have\n%s\nwant\n%s", file, have, want)
	}
}

func asText(t *testing.T, errs profile.InputErrors) []byte {
	t.Helper()
	var text bytes.Buffer
	if err := errs.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	return text.Bytes()
}

func asIndentedJSON(t *testing.T, errs profile.InputErrors) []byte {
	t.Helper()
	text, err := json.MarshalIndent(errs, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}
