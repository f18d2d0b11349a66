package ledger

import (
	"fmt"
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// nowhere is files that take what is written and keep nothing.
type nowhere struct{ machine.Files }

func (nowhere) WriteVolatile(string, []byte, fs.FileMode) error { return nil }

// BenchmarkRecord is the two updates of a run that sets a thousand keys which nobody has
// recorded: ahead of the writes, and after the last look.
func BenchmarkRecord(b *testing.B) {
	ahead, settled := map[item.Key]*item.Entry{}, map[item.Key]*item.Entry{}
	for i := range 1000 {
		k := item.NewKey(item.Sysctl, fmt.Sprintf("net.ipv4.conf.veth%d.log_martians", i))
		e := item.Entry{
			Before: item.Text("0"), Ours: []item.State{item.Text("1")}, Target: item.Text("1"), Settled: item.Text("1"),
			Phase: item.Pending, Epoch: "6f0c5a3e-9a43-4a6b-8e0f-2f2f9d4f3a10/17", Owner: item.Source{Profile: "site"},
		}
		done := e
		done.Phase = item.Applied
		ahead[k], settled[k] = &e, &done
	}
	b.ReportAllocs()
	for b.Loop() {
		l := Blank(nowhere{}, Options{Machine: "m"})
		for _, entries := range []map[item.Key]*item.Entry{ahead, settled} {
			if err := l.Volatile.Update(entries); err != nil {
				b.Fatal(err)
			}
		}
	}
}
