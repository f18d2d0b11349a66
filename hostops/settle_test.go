package hostops_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// settles counts what is made durable without being written.
type settles struct {
	machine.Files
	n int
}

func (s *settles) Settle(path string) error {
	s.n++
	return s.Files.Settle(path)
}

// resident is a process that stays, on a host whose pods' interfaces are to be set.
func resident(t *testing.T, h *fake.Host) (files *settles, pod func(link string)) {
	t.Helper()
	m := h.Start().Machine()
	files = &settles{Files: m.Files}
	m.Files = files
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: m, Version: "test", Holder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	run := func() {
		if _, err := host.Reconcile(t.Context(), fromCluster(t, "sysctls: [{name: net.ipv4.conf.lxc*.rp_filter, value: 0}]"), hostops.ReconcileOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	return files, func(link string) {
		t.Helper()
		h.AddLink(link)
		_ = h.SetSysctl("net/ipv4/conf/"+link+"/rp_filter", "2")
		run()
		if got := value(h, "net/ipv4/conf/"+link+"/rp_filter"); got != "0" {
			t.Fatalf("%s has %s", link, got)
		}
	}
}

// A node starts and stops thousands of pods a day.
func TestInterfacesThatComeAndGoCostNoFsync(t *testing.T) {
	h := fake.New()
	files, pod := resident(t, h)
	book, _ := h.File(paths.Ledger)
	for _, link := range []string{"lxc1", "lxc2", "lxc3"} {
		pod(link)
		h.RemoveLink(link)
	}
	if now, _ := h.File(paths.Ledger); files.n > 0 || now != book {
		t.Errorf("settled %d times; the record was written: %v", files.n, now != book)
	}
}

// Another process writes the record while an agent stays, and dies before that is durable.
func TestARecordWhoseWriterDiedIsDurableBeforeTheHostIsTouched(t *testing.T) {
	h := fake.New()
	files, pod := resident(t, h)
	book, _ := h.File(paths.Ledger)
	h.FailChange(paths.Ledger, machine.ErrNotDurable)
	_ = h.Start().Machine().Files.Write(paths.Ledger, []byte(book+"\n"), 0o600)
	h.EndFaults()
	pod("lxc1")
	h.PowerCut()
	if now, _ := h.File(paths.Ledger); files.n == 0 || now != book+"\n" {
		t.Errorf("settled %d times; a power cut took it back: %v", files.n, now == book)
	}
}
