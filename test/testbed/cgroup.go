package testbed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cgroupPrefix starts the name of every cgroup folder that the testbed makes.
// The owner's process id and the host's name follow.
const cgroupPrefix = "hostprofile-testbed-"

// closeDelay is how long a cleaning-up waits for the kernel to let go.
const closeDelay = 10 * time.Second

// cgroup is a folder of its own for a container, in each hierarchy that systemd
// uses, so that neither changes the machine's.
type cgroup struct {
	unified string // folder below the version 2 hierarchy, if there is one
	legacy  string // folder below version 1's name=systemd, if there is one
}

// newCgroup makes the folders.
func newCgroup(name string) (*cgroup, error) {
	g := &cgroup{}
	folder := cgroupPrefix + strconv.Itoa(os.Getpid()) + "-" + name
	for _, h := range hierarchies() {
		path := filepath.Join(h.root, folder)
		if err := os.Mkdir(path, 0o755); err != nil {
			return nil, errors.Join(fmt.Errorf("make a cgroup: %w", err), g.remove())
		}
		if h.legacy {
			g.legacy = path
		} else {
			g.unified = path
		}
	}
	if g.unified == "" {
		return nil, errors.Join(errors.New("needs cgroup v2 mounted"), g.remove())
	}
	return g, nil
}

type hierarchy struct {
	root   string
	legacy bool
}

// hierarchies finds those of this machine: version 2 alone, or a mix of both.
func hierarchies() []hierarchy {
	var found []hierarchy
	for _, h := range []hierarchy{
		{root: "/sys/fs/cgroup"}, {root: "/sys/fs/cgroup/unified"}, {root: "/sys/fs/cgroup/systemd", legacy: true},
	} {
		var st unix.Statfs_t
		magic := int64(unix.CGROUP2_SUPER_MAGIC)
		if h.legacy {
			magic = unix.CGROUP_SUPER_MAGIC
		}
		if unix.Statfs(h.root, &st) == nil && st.Type == magic {
			found = append(found, h)
		}
	}
	return found
}

// join moves the calling thread into the version 1 folder: programs that it
// starts inherit it. Version 2 knows whole processes only; see open.
func (g *cgroup) join() error {
	if g.legacy == "" {
		return nil
	}
	return os.WriteFile(filepath.Join(g.legacy, "tasks"), []byte(strconv.Itoa(unix.Gettid())), 0)
}

// open returns the version 2 folder, for a program to be started in.
func (g *cgroup) open() (*os.File, error) { return os.Open(g.unified) }

// remove ends what still runs in the folders and removes them.
func (g *cgroup) remove() error {
	return errors.Join(removeCgroup(g.unified), removeCgroup(g.legacy))
}

// removeCgroup removes a folder once the kernel has let go of its last process.
func removeCgroup(root string) error {
	if root == "" {
		return nil
	}
	deadline := time.Now().Add(closeDelay)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := removeFolders(root)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("remove the cgroup: %w", err)
		}
		killCgroup(root)
		<-tick.C
	}
}

// removeFolders removes a tree of cgroups, the deepest first.
func removeFolders(root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if err := removeFolders(filepath.Join(root, entry.Name())); err != nil {
				return err
			}
		}
	}
	return unix.Rmdir(root)
}

// killCgroup kills the processes of a tree of cgroups, by their ids.
func killCgroup(root string) {
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir // it has just gone
		}
		if entry.Name() != "cgroup.procs" {
			return nil
		}
		content, _ := os.ReadFile(path)
		for line := range strings.FieldsSeq(string(content)) {
			if id, err := strconv.Atoi(line); err == nil && id > 1 && id != os.Getpid() {
				_ = unix.Kill(id, unix.SIGKILL)
			}
		}
		return nil
	})
}

// sweepCgroups removes the folders of testbeds whose process is gone.
func sweepCgroups() error {
	var problems []error
	for _, h := range hierarchies() {
		found, err := filepath.Glob(filepath.Join(h.root, cgroupPrefix+"*"))
		problems = append(problems, err)
		for _, path := range found {
			if ownerGone(filepath.Base(path)) {
				problems = append(problems, removeCgroup(path))
			}
		}
	}
	return errors.Join(problems...)
}

func ownerGone(folder string) bool {
	owner, _, _ := strings.Cut(strings.TrimPrefix(folder, cgroupPrefix), "-")
	id, err := strconv.Atoi(owner)
	return err == nil && errors.Is(unix.Kill(id, 0), unix.ESRCH)
}
