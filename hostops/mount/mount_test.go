package mount_test

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/mount"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// bare is a host whose init mounts nothing on /sys/fs/bpf and shares nothing.
func bare(more ...fake.Mount) *fake.Host {
	h := fake.New()
	h.SetMounts(append([]fake.Mount{
		{Path: "/", Filesystem: "ext4", Entries: true}, {Path: "/sys", Filesystem: "sysfs", Entries: true},
	}, more...)...)
	return h
}

func root(shared, slave bool) *fake.Host {
	h := fake.New()
	h.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true, Shared: shared, Slave: slave})
	return h
}

// TestWhatIsThereDecides has a row for each thing that can be at /sys/fs/bpf, and for each
// propagation of the root mount: what it reads as, and whether a run would write.
func TestWhatIsThereDecides(t *testing.T) {
	noFolder := fake.New()
	noFolder.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true})
	folder := fake.New()
	folder.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true})
	folder.PutDir(paths.BPF, 0o755)
	full := fake.New()
	full.SetMounts(fake.Mount{Path: "/", Filesystem: "ext4", Entries: true})
	full.PutFile(paths.BPF+"/f", "x")
	for _, c := range []struct {
		name   string
		host   *fake.Host
		key    item.Key
		state  item.State
		reason item.Reason
	}{
		{"sysfs", bare(), mount.BPFFS, item.Absent, ""},
		{"an empty folder of the root", folder, mount.BPFFS, item.Absent, ""},
		{"a private BPF file system", bare(fake.Mount{Path: paths.BPF, Filesystem: "bpf"}), mount.BPFFS, mount.MountedPrivate, ""},
		{"a slave BPF file system", bare(fake.Mount{Path: paths.BPF, Filesystem: "bpf", Slave: true}), mount.BPFFS, mount.MountedPrivate, ""},
		{"a shared BPF file system", bare(fake.Mount{Path: paths.BPF, Filesystem: "bpf", Shared: true, Entries: true}), mount.BPFFS, mount.Mounted, ""},
		{"another file system", bare(fake.Mount{Path: paths.BPF, Filesystem: "tmpfs"}), mount.BPFFS, item.Unknown, mount.UnexpectedFilesystem},
		{"another one on top of a BPF file system", bare(fake.Mount{Path: paths.BPF, Filesystem: "bpf", Shared: true}, fake.Mount{Path: paths.BPF, Filesystem: "tmpfs"}), mount.BPFFS, item.Unknown, mount.UnexpectedFilesystem},
		{"a folder with files", full, mount.BPFFS, item.Unknown, mount.UnexpectedFilesystem},
		{"no folder", noFolder, mount.BPFFS, item.Unknown, mount.BPFUnavailable},
		{"a private root", root(false, false), mount.RootPropagation, mount.Private, ""},
		{"a shared root", root(true, false), mount.RootPropagation, mount.Shared, ""},
		{"a slave root", root(false, true), mount.RootPropagation, mount.Shared, ""},
		{"a shared slave root", root(true, true), mount.RootPropagation, mount.Shared, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			state, err := mount.New(c.host.Machine(), c.host.BootID()).Observe(t.Context(), c.key)
			if state != c.state || reasonOf(err) != c.reason {
				t.Errorf("it reads as %v (%v), want %v %s", state, err, c.state, c.reason)
			}
		})
	}
}

func TestApplyingMakesOneMount(t *testing.T) {
	h := bare()
	op := mount.New(h.Machine(), h.BootID())
	for _, want := range []struct {
		key item.Key
		to  item.State
	}{{mount.BPFFS, mount.Mounted}, {mount.RootPropagation, mount.Shared}} {
		from, err := op.Observe(t.Context(), want.key)
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Apply(t.Context(), want.key, from, want.to); err != nil {
			t.Fatal(err)
		}
		if got, err := op.Observe(t.Context(), want.key); got != want.to {
			t.Errorf("%s is %v, want %v (%v)", want.key, got, want.to, err)
		}
	}
	if got := h.Mounts(); len(got) != 3 || !got[1].Shared {
		t.Errorf("the mounts are %+v, want one more and all shared", got)
	}
	err := op.Apply(t.Context(), mount.BPFFS, item.Absent, mount.Mounted)
	if reasonOf(err) != mount.UnexpectedFilesystem || len(h.Mounts()) != 3 {
		t.Errorf("a second mount: %v, %+v", err, h.Mounts())
	}
}

func TestAPrivateBPFFileSystemIsSharedInPlace(t *testing.T) {
	h := bare(fake.Mount{Path: paths.BPF, Filesystem: "bpf"})
	op := mount.New(h.Machine(), h.BootID())
	if err := op.Apply(t.Context(), mount.BPFFS, mount.MountedPrivate, mount.Mounted); err != nil {
		t.Fatal(err)
	}
	if got := h.Mounts(); len(got) != 3 || !got[2].Shared || got[0].Shared || got[1].Shared {
		t.Errorf("the mounts are %+v, want the last one shared and no other", got)
	}
}

func TestNothingIsTakenAway(t *testing.T) {
	h := bare(fake.Mount{Path: paths.BPF, Filesystem: "bpf", Shared: true})
	op := mount.New(h.Machine(), h.BootID())
	if !op.Traits(mount.BPFFS).OneWay || !op.Traits(mount.RootPropagation).OneWay {
		t.Error("a mount is taken back")
	}
	if err := op.Apply(t.Context(), mount.BPFFS, mount.Mounted, item.Absent); err == nil || len(h.Mounts()) != 3 {
		t.Errorf("unmounting: %v, %+v", err, h.Mounts())
	}
}

func TestMountsOutOfReachAreExplained(t *testing.T) {
	for _, path := range []string{"/", paths.BPF} {
		h := bare()
		h.FailKernel(path, fs.ErrPermission)
		key := map[string]item.Key{"/": mount.RootPropagation, paths.BPF: mount.BPFFS}[path]
		if state, err := mount.New(h.Machine(), h.BootID()).Observe(t.Context(), key); state.Known() || reasonOf(err) != mount.PermissionDenied {
			t.Errorf("%s: %v, %v", key, state, err)
		}
	}
}

func reasonOf(err error) item.Reason {
	var e *item.Error
	if errors.As(err, &e) {
		return e.Reason
	}
	return ""
}
