package faults

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/test/snapshot"
)

// looker looks at a sandbox from inside: all files of the folders that are its own, all
// sysctls of its network, and all mounts. It reads a file again only if it changed.
type looker struct {
	folders []string // those that a sandbox has for itself
	sums    map[string]sum
	// withoutMounts leaves mounts out of it: they do not outlive a boot.
	withoutMounts bool
}

type sum struct {
	inode   uint64
	size    int64
	changed unix.Timespec
	text    string
}

// counting are sysctls that count by themselves.
var counting = []string{"net.netfilter.nf_conntrack_count"}

// nodeIPSource is left out of the saved address: a record of it that was written ahead
// knows the address alone.
var nodeIPSource = regexp.MustCompile(`"source": "(Detected|Saved)"`)

func newLooker(folders ...string) *looker {
	return &looker{folders: folders, sums: map[string]sum{}}
}

func (l *looker) look(t *testing.T) snapshot.Snapshot {
	t.Helper()
	s := snapshot.Snapshot{}
	for _, folder := range l.folders {
		must(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case path == ownFolder:
				return filepath.SkipDir
			}
			return l.file(s, path)
		}))
	}
	must(t, filepath.WalkDir("/proc/sys/net", func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			sysctl(s, path)
		}
		return err
	}))
	if !l.withoutMounts {
		mounts(t, s)
	}
	return s
}

func (l *looker) file(s snapshot.Snapshot, path string) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	target := ""
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		target, _ = os.Readlink(path)
	}
	names := st.Nlink
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		names = 0 // that of folders is the file system's business
	}
	s["file "+path] = fmt.Sprintf("%o %d:%d %d %s", st.Mode, st.Uid, st.Gid, names, target)
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil
	}
	known := l.sums[path]
	if known.inode != st.Ino || known.size != st.Size || known.changed != st.Ctim {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		content = nodeIPSource.ReplaceAll(content, nil)
		known = sum{st.Ino, st.Size, st.Ctim, fmt.Sprintf("%x", sha256.Sum256(content))}
		l.sums[path] = known
	}
	s["content "+path] = known.text
	return nil
}

func sysctl(s snapshot.Snapshot, path string) {
	name := strings.ReplaceAll(strings.TrimPrefix(path, "/proc/sys/"), "/", ".")
	for _, c := range counting {
		if name == c {
			return
		}
	}
	value, err := os.ReadFile(path)
	if err != nil {
		value = []byte("cannot be read")
	}
	s["sysctl "+name] = strings.TrimSpace(string(value))
}

// mounts notes what is mounted where, and whether the mount is shared: not its numbers.
func mounts(t *testing.T, s snapshot.Snapshot) {
	t.Helper()
	table, err := os.ReadFile("/proc/self/mountinfo")
	must(t, err)
	for line := range strings.Lines(string(table)) {
		left, right, _ := strings.Cut(strings.TrimSpace(line), " - ")
		f := strings.Fields(left)
		shared := len(f) > 6 && strings.HasPrefix(f[6], "shared:")
		s["mount "+f[4]] += fmt.Sprintf("%s %s %s shared=%v;", f[3], f[5], right, shared)
	}
}
