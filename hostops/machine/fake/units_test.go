package fake_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestTheFakeSystemdKeepsTheContract(t *testing.T) {
	contract.RunUnits(t, func(*testing.T) contract.UnitWorld { return fake.New(fake.HasSystemd()) })
}

func TestTheFakeSystemdStartsWhatIsEnabledAtBoot(t *testing.T) {
	h := fake.New(fake.HasSystemd())
	h.PutFile("/etc/systemd/system/a.service", "[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n")
	h.Reboot()
	if got := h.RunningUnits(); len(got) > 0 {
		t.Errorf("not enabled, and runs: %v", got)
	}
	if err := h.Machine().Units.EnableUnit(t.Context(), "a.service"); err != nil {
		t.Fatal(err)
	}
	h.Reboot()
	if got := h.RunningUnits(); len(got) != 1 {
		t.Errorf("enabled, and does not run: %v", got)
	}
}
