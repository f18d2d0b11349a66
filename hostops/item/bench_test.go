package item

import "testing"

// BenchmarkRecords is what a run decides and records of a thousand items that it sets, and
// that nobody has recorded.
func BenchmarkRecords(b *testing.B) {
	want := Want{Key: "sysctl/net.ipv4.conf.veth1.log_martians", State: Text("1"), Source: Source{Profile: "site"}}
	f := Finding{Key: want.Key, Want: &want, Got: Text("0"), Traits: Traits{Store: Volatile, Epoch: "boot/2", Rank: 4}}
	changes := make([]Change, 1000)
	settled := make([]*Entry, len(changes))
	b.ReportAllocs()
	for b.Loop() {
		for i := range changes {
			c := &changes[i]
			*c = Plan(f)
			settled[i] = c.Settle(c.Ahead(BootLine{}), ReadBack{State: c.To})
		}
	}
}
