package ledger

import (
	"errors"
	"maps"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Whatever is in a ledger's file: it is refused by one of the two errors that stop every
// write, or what is read of it is written again with nothing lost.
func FuzzDecode(f *testing.F) {
	p := newPage()
	p.head = head{Format: format, Major: Major, Machine: "m", Writer: "v"}
	p.entries["sysctl/vm.swappiness"] = &item.Entry{Before: item.Text("60"), Target: item.Text("10"), Settled: item.Text("10"), Phase: item.Applied}
	text, err := p.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte(`{"format":"hostprofile-ledger","major":1,"later":[1],"entries":{"sysctl/x":{"before":"absent","phase":"Pending","new":{}}}}`))
	f.Add([]byte(`{"format":"hostprofile-ledger","major":2,"entries":{}}`))
	f.Add([]byte(`{"format":"hostprofile-ledger","major":1,"entries":null}{}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := decode(b)
		if err != nil {
			if !errors.Is(err, ErrUnreadable) && !errors.Is(err, ErrNewer) {
				t.Errorf("an error that stops nothing: %v", err)
			}
			return
		}
		again, err := p.encode()
		if err != nil {
			t.Fatal(err)
		}
		q, err := decode(again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		same := maps.EqualFunc(q.entries, p.entries, (*item.Entry).Equal)
		if !same || len(q.rest) != len(p.rest) || len(q.fields) != len(p.fields) {
			t.Errorf("%s\nbecame\n%s", b, again)
		}
	})
}
