package hostops_test

import (
	"maps"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// The files that a run reads of earlier runs, damaged in any way: what was applied stays
// applied, unless the file can be read and says otherwise.
func FuzzOwnFiles(f *testing.F) {
	h := fake.New()
	up(f, h, "sysctls: [{name: vm.swappiness, value: 10}]")
	for i, path := range ownFiles {
		text, _ := h.File(path)
		f.Add(uint8(i), text)
		f.Add(uint8(i), text[:len(text)/2])
		f.Add(uint8(i), "")
		f.Add(uint8(i), "null")
	}
	f.Fuzz(func(t *testing.T, file uint8, text string) {
		damaged := h.Clone()
		path := ownFiles[int(file)%len(ownFiles)]
		damaged.PutFile(path, text)
		before := damaged.Sysctls()
		host, err := hostops.Open(t.Context(), hostops.Options{Machine: damaged.Machine(), Version: "test"})
		if err != nil {
			return // refused, with nothing changed
		}
		_, _ = host.Status(t.Context())
		if !maps.Equal(before, damaged.Sysctls()) {
			t.Error("a look changed the host")
		}
		if _, err := host.Reconcile(t.Context(), nil, hostops.ReconcileOptions{}); err != nil && !maps.Equal(before, damaged.Sysctls()) {
			t.Errorf("%s says %q; the run was refused, with the host changed: %v", path, text, err)
		}
	})
}

var ownFiles = []string{paths.Ledger, paths.Input, paths.Accepted, paths.NodeIP, paths.RunLedger, paths.SysctlDropIn}
