package hostops_test

import (
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// One Host serves many runs: what one of them found out about the unit is not told of the
// next ones.
func TestWhatKeptAnEarlierRunFromTheUnitIsForgotten(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	host := openWith(t, h, unitOptions{ProgramDir: word("/tmp")})
	if _, err := host.Plan(t.Context(), site(t, swappiness)); err != nil {
		t.Fatal(err)
	}
	s, err := host.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &s.Report)
	if err := host.InstallUnit(t.Context(), []string{"/usr/bin/program", "run"}); err != nil {
		t.Error(err)
	}
}

func TestWhatAnEarlierPlanSawOfTheUnitIsForgotten(t *testing.T) {
	h := booted()
	h.PutLink(paths.UnitFile, "/dev/null")
	host := openWith(t, h, withUnit())
	if _, err := host.Plan(t.Context(), site(t, swappiness)); err != nil {
		t.Fatal(err)
	}
	h.Delete(paths.UnitFile)
	upWith(t, h, withUnit())
	s, err := host.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	reached(t, &s.Report)
	for _, r := range s.Report.Results() {
		if r.Outcome != item.Right {
			t.Errorf("%s is %s", r.Key, r.Outcome)
		}
	}
}

// A boot file that cannot be read may list what it did.
func TestWhatAnUnreadableBootFileMayListIsNotGivenBack(t *testing.T) {
	h := fake.New()
	was := value(h, "vm/swappiness")
	up(t, h, swappiness)
	h.FailRead(paths.SysctlDropIn, syscall.EIO)
	r := up(t, h, "sysctls: [{name: vm.max_map_count, value: 262144}]")
	if got := outcomes(&r)["sysctl/vm.swappiness"]; got != item.Failed {
		t.Errorf("it is told as %s", got)
	}
	h.EndFaults()
	h.Reboot()
	up(t, h, "")
	if now := value(h, "vm/swappiness"); now != was {
		t.Errorf("swappiness is %s, and was %s", now, was)
	}
}

func outcomes(r *item.Report) map[item.Key]item.Outcome {
	out := map[item.Key]item.Outcome{}
	for _, res := range r.Results() {
		out[res.Key] = res.Outcome
	}
	return out
}
