package snapshot_test

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/test/snapshot"
)

func TestDiffNamesWhatIsNewGoneAndOther(t *testing.T) {
	before := snapshot.Snapshot{"file /etc/a": "f 644", "sysctl vm.swappiness": "60", "swap /dev/sda2": "partition"}
	after := snapshot.Snapshot{
		"file /etc/b": "f 644", "sysctl vm.swappiness": "10", "swap /dev/sda2": "partition",
		"sysctl net.bridge.bridge-nf-call-iptables": "1", // came with a module
	}
	want := []string{"- file /etc/a: f 644", "+ file /etc/b: f 644", "~ sysctl vm.swappiness: 10, was 60"}
	if got := snapshot.Diff(before, after); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := snapshot.Diff(before, before); len(got) > 0 {
		t.Errorf("the same host differs: %q", got)
	}
}

func TestOnlyTheMarkerMayStay(t *testing.T) {
	before := snapshot.Snapshot{}
	after := snapshot.Snapshot{
		"file /var/lib/hostprofile": "d 700", "file /var/lib/hostprofile/disabled": "f 600", "content /var/lib/hostprofile/disabled": "ab",
		"file /var/lib/hostprofile/ledger.json": "f 600", "file /etc/sysctl.d/zz-hostprofile.conf": "f 644",
	}
	want := []string{"+ file /etc/sysctl.d/zz-hostprofile.conf: f 644", "+ file /var/lib/hostprofile/ledger.json: f 600"}
	if got := snapshot.NotGivenBack(before, after); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := snapshot.NotGivenBack(after, before); len(got) != len(after) {
		t.Errorf("a marker that is gone is no change: %q", got)
	}
}
