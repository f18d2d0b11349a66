package results_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/bench/results"
)

func TestRowsOfOneRunEndUpInOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "results.json")
	peer := 20.0
	for _, r := range []results.Row{
		{ID: "P8", What: "start", Unit: "ms", Ours: 4, Missing: "runc: no such package"},
		{ID: "P1", What: "from nothing", Unit: "ms", Ours: 1, Peer: &peer, PeerName: "script"},
		{ID: "P1", What: "from nothing", Unit: "ms", Ours: 2, Peer: &peer, PeerName: "script", Ratio: 0.1, Met: true},
	} {
		if err := results.Put(path, r, map[string]string{"script": "bash " + r.ID}); err != nil {
			t.Fatal(err)
		}
	}
	f, err := results.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Rows) != 2 || f.Rows[0].ID != "P1" || f.Rows[0].Ours != 2 || f.Versions["script"] != "bash P1" {
		t.Errorf("%+v", f)
	}
	if got := f.Lacking("P1", "P2", "P8"); !slices.Equal(got, []string{"P2"}) {
		t.Errorf("lacks %v", got)
	}
	var out strings.Builder
	if err := f.Write(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"P1", "2 ms", "20 script", "0.1 (0)", "yes", "P8: left out: runc: no such package", "script: bash P1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the table has no %q:\n%s", want, out.String())
		}
	}
}

func TestAFileThatIsNotThereLacksAll(t *testing.T) {
	f, err := results.Read(filepath.Join(t.TempDir(), "none"))
	if err != nil || len(f.Lacking("P1")) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}
