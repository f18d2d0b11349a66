package ledger

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// encode returns a page as it is written.
func (p *page) encode() ([]byte, error) { return p.appendTo(nil, nil, p.keys()) }

func TestARecordIsEncodedAsEncodingJSONReadsIt(t *testing.T) {
	alt := item.Text("a\"b\\c\nd\u2028<&>\u00e9")
	entries := []item.Entry{
		{Phase: item.Pending, Ours: []item.State{}},
		{Before: item.Absent, Alt: &alt, Ours: []item.State{item.Text(""), alt, item.Absent}, Target: alt, Settled: item.Unknown,
			Phase: item.Applied, Epoch: "3f6c/7", Delisted: "3f6c", Follows: "sysctl/net.ipv4.ip_forward",
			Owner: item.Source{Profile: "si\"te", Generation: 7}},
	}
	for _, want := range entries {
		text := appendRecord(nil, &want)
		var got item.Entry
		if err := json.Unmarshal(append(text, '}'), &got); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nreads as %+v\nwant     %+v", text, got, want)
		}
	}
}

// TestEveryFieldOfARecordIsEncoded fails when item.Entry gets a field that the encoder
// does not know.
func TestEveryFieldOfARecordIsEncoded(t *testing.T) {
	if n := reflect.TypeFor[item.Entry]().NumField(); n != len(entryFields) {
		t.Errorf("a record has %d fields, the encoder and the decoder know %d", n, len(entryFields))
	}
}
