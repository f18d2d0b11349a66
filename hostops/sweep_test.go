package hostops_test

import (
	"path"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/atomicfile"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// killed leaves what runs that were killed in the middle of a write leave.
func killed(h *fake.Host) (strays []string) {
	for _, file := range []string{paths.SysctlDropIn, paths.ModulesLoad, paths.Ledger, paths.Input, paths.RunLedger} {
		stray := path.Join(path.Dir(file), atomicfile.TempName(path.Base(file), "0123456789abcdef"))
		h.PutFile(stray, "half of it")
		strays = append(strays, stray)
	}
	return strays
}

func TestTheNextRunRemovesWhatAKilledOneLeft(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	for name, run := range map[string]func(){
		"up": func() { up(t, h, "") },
		"down": func() {
			if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		up(t, h, swappiness)
		strays := killed(h)
		run()
		for _, stray := range strays {
			if _, there := h.File(stray); there {
				t.Errorf("after %s %s is still there", name, stray)
			}
		}
	}
}

// What is recorded names the files that a killed run may have been writing.
func TestTheNextRunSweepsBesideEveryRecordedFile(t *testing.T) {
	for name, tt := range map[string]struct {
		host  *fake.Host
		wish  string
		files []string
	}{
		"the node's address":     {wired(), "nodeIP: {publish: Kubeadm}", []string{paths.KubeletDropIn, paths.NodeIP}},
		"its environment file":   {wired(), "nodeIP: {}", []string{paths.NodeEnv}},
		"the file of K3s":        {wired(), "nodeIP: {publish: K3s}", []string{k3sFile}},
		"the zones of firewalld": {firewalled(), trust, []string{zonefile.Path("trusted"), zonefile.Backup("trusted")}},
	} {
		t.Run(name, func(t *testing.T) {
			h := tt.host
			up(t, h, tt.wish)
			strays := []string{}
			for _, file := range tt.files {
				stray := path.Join(path.Dir(file), atomicfile.TempName(path.Base(file), "0123456789abcdef"))
				h.PutFile(stray, "half of it")
				strays = append(strays, stray)
			}
			up(t, h, "")
			for _, stray := range strays {
				if _, there := h.File(stray); there {
					t.Errorf("%s is still there", stray)
				}
			}
		})
	}
}

// A program is long, and most likely to be cut off; it may be wherever --bin-dir says.
func TestTheNextRunSweepsBesideTheUnitAndItsProgram(t *testing.T) {
	h := booted()
	o := withUnit()
	o.ProgramDir = word("/srv/programs")
	upWith(t, h, o)
	for _, file := range []string{paths.UnitFile, kubeletGate, "/srv/programs/" + paths.ProgramName} {
		stray := path.Join(path.Dir(file), atomicfile.TempName(path.Base(file), "0123456789abcdef"))
		h.PutFile(stray, "half of it")
		upWith(t, h, unitOptions{})
		if _, there := h.File(stray); there {
			t.Errorf("%s is still there", stray)
		}
	}
}

// Hosts with a read-only root keep such folders on a mount of their own.
func TestDownEndsWellWhereItsFolderIsAMount(t *testing.T) {
	h := fake.New()
	up(t, h, swappiness)
	h.FailChange(paths.StateDir, machine.ErrBusy)
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Error(err)
	}
	if _, there := h.File(paths.Ledger); there {
		t.Error("the record is still there")
	}
}
