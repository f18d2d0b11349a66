package hostops_test

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// eager remembers what a run opens ahead, and where it is when it closes it.
type eager struct {
	machine.Proc
	host     *fake.Host
	opened   chan []string
	stage    string
	closedIn string
	changes  int // before it closed
	reads    int // since it closed
}

func (e *eager) OpenSysctls(paths []string) { e.opened <- paths }

func (e *eager) CloseSysctls() {
	e.closedIn, e.changes, e.reads = e.stage, e.host.Mutations(), 0
}

func (e *eager) ReadSysctls(paths []string) []machine.SysctlText {
	e.reads += len(paths)
	return e.Proc.ReadSysctls(paths)
}

func TestARunOpensItsSysctlsAheadAndClosesThemBesideTheirRecord(t *testing.T) {
	f := fake.New(fake.Loopback())
	f.AddLink("lxc1")
	f.AddLink("lxc2")
	m := f.Machine()
	e := &eager{Proc: m.Proc, host: f, opened: make(chan []string, 1)}
	m.Proc = e
	host, err := hostops.Open(t.Context(), hostops.Options{
		Machine: m, Version: "test", Holder: "test", Progress: func(stage string) { e.stage = stage },
	})
	if err != nil {
		t.Fatal(err)
	}
	spec := "sysctls: [{name: vm.swappiness, value: 10}, {name: net.ipv4.conf.lxc*.rp_filter, value: 0}, {name: net.ipv4.conf.lxc2.rp_filter, value: 2}, {name: vm.dirty_ratio, value: 7}]"
	r, err := host.Up(t.Context(), site(t, spec), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"net/ipv4/conf/lxc1/rp_filter", "net/ipv4/conf/lxc2/rp_filter", "vm/swappiness"}
	if got := slices.Compact(slices.Sorted(slices.Values(<-e.opened))); !slices.Equal(got, want) {
		t.Errorf("opened %q, want %q: all but one of a pair, which is read on its own", got, want)
	}
	if e.closedIn != "sysctls" || e.reads > 0 || e.changes == f.Mutations() {
		t.Errorf("closed in the stage %q, then %d were read and %d changes made", e.closedIn, e.reads, f.Mutations()-e.changes)
	}
	if got := value(f, "vm/swappiness"); got != "10" || r.Len() == 0 {
		t.Errorf("swappiness is %s", got)
	}
}
