package ledger

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// A ledger that holds nothing unknown is read in one go, and says the same as one that
// does not.
func TestBothWaysOfReadingALedgerAgree(t *testing.T) {
	p := newPage()
	p.head = head{Format: format, Major: Major, Machine: "m", Writer: "v"}
	alt := item.Text("2")
	p.entries["sysctl/vm.swappiness"] = &item.Entry{
		Before: item.Text("60"), Alt: &alt, Ours: []item.State{item.Text("10")}, Target: item.Text("10"), Settled: item.Absent,
		Phase: item.Applied, Epoch: "boot/2", Follows: "sysctl/x", Owner: item.Source{Profile: "site", Generation: 3},
	}
	text, err := p.encode()
	if err != nil {
		t.Fatal(err)
	}
	if !newPage().decodeKnown(text) {
		t.Fatal("it is not known")
	}
	known, err := decode(text)
	if err != nil {
		t.Fatal(err)
	}
	newer := strings.Replace(string(text), `"entries"`, `"later":1,"entries"`, 1)
	if newPage().decodeKnown([]byte(newer)) {
		t.Fatal("an unknown field is known")
	}
	kept, err := decode([]byte(newer))
	if err != nil || len(kept.rest) != 1 {
		t.Fatal(kept, err)
	}
	if !reflect.DeepEqual(known.entries, kept.entries) || known.head != kept.head {
		t.Errorf("%+v\n%+v", known, kept)
	}
	for _, bad := range []string{`{}`, string(text) + "{}", strings.Replace(string(text), "Applied", "Maybe", 1),
		strings.Replace(string(text), `{"before"`, `null,"y":{"before"`, 1), strings.Replace(string(text), `"major":1`, `"major":2`, 1)} {
		if newPage().decodeKnown([]byte(bad)) {
			t.Errorf("taken as it is: %s", bad)
		}
	}
}
