package hostops_test

import (
	"errors"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// swapping is a host with a swap area, on which something happens while that is taken out of
// use: nobody has the run lock then.
func swapping(during func(h *fake.Host)) *fake.Host {
	h := booted()
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw 0 0\n")
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	duringSwapOff(h, func() { during(h) })
	return h
}

func duringSwapOff(h *fake.Host, do func()) {
	h.KeepLog()
	h.OnStep(func(int) {
		if log := h.Log(); len(log) > 0 && log[len(log)-1].Op == "swapoff" {
			h.OnStep(nil)
			do()
		}
	})
}

// other is the host as another process that begins now sees it.
func other(t *testing.T, h *fake.Host) *hostops.Host { return otherWith(t, h, unitOptions{}) }

func otherWith(t *testing.T, h *fake.Host, o unitOptions) *hostops.Host {
	t.Helper()
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: h.Start().Machine(), Version: "test", Holder: "test", LockTimeout: time.Second, Unit: o})
	if err != nil {
		t.Fatal(err)
	}
	return host
}

// A run that gives up the lock for a swap area finds another one in its place: it has no
// right to write any more.
func TestARunThatCannotHaveItsLockBackWritesNothingMore(t *testing.T) {
	var begun int
	h := swapping(func(h *fake.Host) {
		if _, err := h.Start().Machine().Locks.TryLock(paths.RunLock, "other"); err != nil {
			t.Fatal(err)
		}
		begun = len(h.Log())
	})
	_, err := open(t, h).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
	if busy := (*machine.BusyError)(nil); !errors.As(err, &busy) || busy.Holder != "other" {
		t.Errorf("the run ends with %v", err)
	}
	for _, m := range h.Log()[begun:] {
		t.Errorf("without the lock: %s %s", m.Op, m.Path)
	}
}

// The host is given back while a swap area is taken out of use: what is left of the run would
// prepare it again, and the area would stay out of use.
func TestAHostGivenBackInTheMiddleOfARunStaysSo(t *testing.T) {
	for name, run := range map[string]func(h *fake.Host) error{
		"up": func(h *fake.Host) error {
			_, err := openWith(t, h, withUnit()).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
			return err
		},
		"agent": func(h *fake.Host) error {
			_, err := open(t, h).Reconcile(t.Context(), fromCluster(t, swappiness), hostops.ReconcileOptions{})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := swapping(func(h *fake.Host) {
				if _, err := other(t, h).Down(t.Context(), hostops.DownOptions{}); err != nil {
					t.Error(err)
				}
			})
			before := swaps(t, h)
			if err := run(h); !errors.Is(err, hostops.ErrDisabled) {
				t.Errorf("the run ends with %v", err)
			}
			left, err := other(t, h).Remains()
			if err != nil || len(left) > 0 {
				t.Errorf("after down there is %v, %v", left, err)
			}
			if now := swaps(t, h); now != before {
				t.Errorf("in use is %q, and was %q", now, before)
			}
		})
	}
}

func swaps(t *testing.T, h *fake.Host) string {
	t.Helper()
	text, err := h.Machine().Proc.ReadProc(paths.Swaps)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fromCluster(t *testing.T, spec string) []hostops.Accepted {
	t.Helper()
	return []hostops.Accepted{{UID: "1", Profile: site(t, spec)[0]}}
}

// Somebody else decides anew what is wished while a swap area is taken out of use: the rest
// of the run would bring back what was wished before.
func TestOtherWishesInTheMiddleOfARunAreNotUndone(t *testing.T) {
	const wish = "sysctls: [{name: vm.max_map_count, value: 262144}]"
	for name, change := range map[string]func(h *fake.Host){
		"bootstrap's": func(h *fake.Host) {
			if _, err := otherWith(t, h, withoutUnit()).Up(t.Context(), site(t, wish), hostops.UpOptions{}); err != nil {
				t.Error(err)
			}
		},
		"the cluster's": func(h *fake.Host) {
			if _, err := other(t, h).Reconcile(t.Context(), fromCluster(t, wish), hostops.ReconcileOptions{}); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var after string
			h := swapping(func(h *fake.Host) { change(h); after = settled(h) })
			_, err := open(t, h).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
			if !errors.Is(err, hostops.ErrOvertaken) {
				t.Errorf("the run ends with %v", err)
			}
			if now := settled(h); now != after {
				t.Errorf("after it:\n%s\nbefore:\n%s", now, after)
			}
		})
	}
}

// What systemd said of the unit before a slow write is not what it says after it.
func TestAUnitThatIsDisabledInTheMiddleOfARunIsEnabledAgain(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	h.PutFile("/etc/fstab", "/dev/sda2 none swap sw 0 0\n")
	h.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 1 << 30, Priority: -2})
	duringSwapOff(h, func() {
		if err := h.Start().Machine().Units.DisableUnit(t.Context(), paths.Unit); err != nil {
			t.Error(err)
		}
	})
	upWith(t, h, withUnit())
	u, err := h.Machine().Units.Unit(t.Context(), paths.Unit)
	if err != nil || u.State != machine.UnitEnabled {
		t.Errorf("the unit is %s, %v", u.State, err)
	}
}

// A `down` removes the file of its lock while others may wait for it: the next run begins
// before the `down` has ended, and needs its folders.
func TestARunThatBeginsAsDownEndsKeepsItsFolders(t *testing.T) {
	h := booted()
	upWith(t, h, withUnit())
	began, ended, result := make(chan bool), make(chan bool), make(chan error, 1)
	last := func() fake.Mutation { log := h.Log(); return log[len(log)-1] }
	h.KeepLog()
	h.OnStep(func(tick int) {
		if tick%2 == 0 || last().Op != "remove" || last().Path != paths.RunLock {
			return
		}
		h.OnStep(func(int) { // the first thing that the next run writes is its record
			if last().Op == "write" {
				h.OnStep(nil)
				close(began)
				<-ended
			}
		})
		go func() {
			_, err := other(t, h).Up(t.Context(), site(t, swappiness), hostops.UpOptions{})
			result <- err
		}()
		<-began
	})
	_, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true})
	close(ended)
	if err := errors.Join(err, <-result); err != nil {
		t.Error(err)
	}
}
