package hostops_test

import (
	"context"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// What fstab says is not looked at: the kernel's own table is.
func TestAMountThatChangesIsNoticedWithinSeconds(t *testing.T) {
	for name, change := range map[string]func(h *fake.Host){
		"the BPF file system is unmounted": func(h *fake.Host) { h.Unmount(paths.BPF) },
		"another one covers it": func(h *fake.Host) {
			h.SetMounts(append(h.Mounts(), fake.Mount{Path: paths.BPF, Filesystem: "tmpfs"})...)
		},
		"the root mount is private again": func(h *fake.Host) {
			list := h.Mounts()
			list[0].Shared = false
			h.SetMounts(list...)
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := openRC()
			r := up(t, h, mounts)
			if took := noticed(t, h, r, change); took < 0 || took > 6*time.Second {
				t.Errorf("it is noticed after %s", took)
			}
		})
	}
}

func TestWhatIsPinnedIsNoChangeOfAMount(t *testing.T) {
	h := openRC()
	r := up(t, h, mounts)
	took := noticed(t, h, r, func(h *fake.Host) {
		list := h.Mounts()
		list[2].Entries = true
		h.SetMounts(list...)
	})
	if took >= 0 {
		t.Errorf("it is told after %s", took)
	}
}

func TestMountsThatNobodyManagesAreNotWatched(t *testing.T) {
	h := openRC()
	r := up(t, h, "swap: Keep")
	if took := noticed(t, h, r, func(h *fake.Host) { h.Unmount("/sys") }); took >= 0 {
		t.Errorf("it is told after %s", took)
	}
}

// noticed changes the host, which is as a report says, after two seconds, and returns how
// long it took from then on to be told; it is below 0 if it was not within a minute.
func noticed(t *testing.T, h *fake.Host, r item.Report, change func(*fake.Host)) time.Duration {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := open(t, h).Watcher()
	w.Expect(r)
	var changed, told time.Time
	h.After(2*time.Second, func() { changed = h.Now(); change(h) })
	h.After(time.Minute, cancel)
	err := w.Run(ctx, func(cause string) {
		if cause == hostops.CauseMount {
			told = h.Now()
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if told.IsZero() {
		return -1
	}
	return told.Sub(changed)
}

func TestMountsThatWereForgottenAreNotWatched(t *testing.T) {
	h := openRC()
	r := up(t, h, mounts)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := open(t, h).Watcher()
	w.Expect(r)
	w.Forget()
	h.Unmount(paths.BPF)
	h.After(time.Minute, cancel)
	err := w.Run(ctx, func(cause string) {
		if cause == hostops.CauseMount {
			t.Error("it is told")
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
