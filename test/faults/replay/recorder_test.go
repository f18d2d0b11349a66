package replay_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/faults/disk"
	"github.com/hostprofile/hostprofile/test/faults/replay"
	"github.com/hostprofile/hostprofile/test/testbed"
)

func TestMain(m *testing.M) {
	replay.Become()
	os.Exit(m.Run())
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// record starts a recorder, in a sandbox; nil outside of it.
func record(t *testing.T) *replay.Recorder {
	t.Helper()
	must(t, disk.NoteOutside())
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return nil
	}
	must(t, replay.Missing())
	r, err := replay.Start("/run/recorder")
	must(t, err)
	return r
}

// aligned is memory as direct I/O wants it.
func aligned() []byte {
	const page = 4096
	b := make([]byte, disk.BlockSize+page)
	return b[page-int(uintptr(unsafe.Pointer(&b[0]))%page):][:disk.BlockSize]
}

// TestTheLogIsWhatTheDeviceIsTold: each write and each flush of the loop device is in the
// log, as it was made, in the order in which it was made, and nothing else is.
func TestTheLogIsWhatTheDeviceIsTold(t *testing.T) {
	r := record(t)
	if r == nil {
		return
	}
	loop, err := disk.Attach(r.Image())
	must(t, err)
	device, err := os.OpenFile(loop.Name(), os.O_RDWR|unix.O_DIRECT, 0)
	must(t, err)
	random := rand.New(rand.NewPCG(1, 1))
	var told []replay.Entry
	for range 300 {
		if random.IntN(4) == 0 {
			must(t, device.Sync())
			told = append(told, replay.Entry{})
			continue
		}
		e := replay.Entry{Offset: random.Int64N(disk.Size/disk.BlockSize) * disk.BlockSize, Data: aligned()}
		copy(e.Data, bytes.Repeat([]byte{byte(random.IntN(256))}, disk.BlockSize))
		_, err := device.WriteAt(e.Data, e.Offset)
		must(t, err)
		told = append(told, e)
	}
	must(t, device.Close())
	must(t, loop.Close())
	log, err := r.Stop()
	must(t, err)
	same := func(a, b replay.Entry) bool { return a.Offset == b.Offset && bytes.Equal(a.Data, b.Data) }
	if got, want := flushedOnce(log.Entries), flushedOnce(append(told, replay.Entry{})); !slices.EqualFunc(got, want, same) {
		t.Errorf("%d entries are not the %d that the device was told", len(got), len(want))
	}
}

// flushedOnce leaves out a flush that follows another: the kernel may send two for one.
// The last flush of all is that of a device that is closed.
func flushedOnce(entries []replay.Entry) []replay.Entry {
	return slices.CompactFunc(entries, func(a, b replay.Entry) bool { return a.Flush() && b.Flush() })
}

// TestExt4FlushesAroundEachCommit: what a commit of ext4's journal promises is flushed
// before it, and the commit itself before anything else.
func TestExt4FlushesAroundEachCommit(t *testing.T) {
	entries := commits(t, "")
	if entries == nil {
		return
	}
	n := 0
	for i, e := range entries {
		if !commit(e) {
			continue
		}
		n++
		if i == 0 || !entries[i-1].Flush() || i+1 < len(entries) && !entries[i+1].Flush() {
			t.Errorf("entry %d is a commit that is not flushed", i)
		}
	}
	if n < 20 {
		t.Errorf("%d commits of 20 files", n)
	}
}

// TestNothingIsFlushedButByTheFileSystem: if ext4 does not flush, neither does anybody else.
func TestNothingIsFlushedButByTheFileSystem(t *testing.T) {
	for n, e := range commits(t, "barrier=0") {
		if e.Flush() {
			t.Errorf("entry %d is a flush", n)
		}
	}
}

// commits returns what the disk is told while 20 files are made durable on it; nothing
// outside of a sandbox.
func commits(t *testing.T, options string) []replay.Entry {
	t.Helper()
	r := record(t)
	if r == nil {
		return nil
	}
	d, err := disk.Over(r.Image(), "/run/disk", options)
	must(t, err)
	must(t, d.Mount())
	from, err := r.Entries()
	must(t, err)
	for n := range 20 {
		f, err := os.Create(fmt.Sprintf("/run/disk/%d", n))
		must(t, err)
		_, err = f.WriteString("x")
		must(t, errors.Join(err, f.Sync(), f.Close()))
	}
	to, err := r.Entries()
	must(t, err)
	must(t, d.Unmount())
	log, err := r.Stop()
	must(t, err)
	if to-from < 20 {
		t.Errorf("%d entries of 20 files", to-from)
	}
	return log.Entries[from:to]
}

// commit reports whether a write is a commit block of ext4's journal.
func commit(e replay.Entry) bool {
	const magic, kind = 0xC03B3998, 2
	return len(e.Data) == disk.BlockSize && binary.BigEndian.Uint32(e.Data) == magic && binary.BigEndian.Uint32(e.Data[4:]) == kind
}
