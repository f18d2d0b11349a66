package hostops

import (
	"context"
	"fmt"
	"path"
	"strconv"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

const (
	inotifyLimit = "fs/inotify/max_user_instances"
	inotifyFile  = "anon_inode:inotify"
	procDir      = "/proc"
)

// checkInotify compares the inotify instances of root's processes with their limit: most
// of what runs on a node runs as root, and errors show in odd places when it is reached.
func (p *prospect) checkInotify(ctx context.Context) []CheckResult {
	text, err := p.machine.Proc.ReadSysctl(inotifyLimit)
	if err != nil {
		return nil
	}
	limit, err := strconv.Atoi(text)
	used, seen := p.inotifyOfRoot(ctx)
	if err != nil || !seen {
		return nil
	}
	r := CheckResult{ID: "inotify", Outcome: CheckOK, Message: fmt.Sprintf("root uses %d of %d instances", used, limit)}
	if used*5 < limit*4 {
		return []CheckResult{r}
	}
	r.Outcome, r.MendedByUp = CheckWarn, p.raises(sysctl.Key("fs.inotify.max_user_instances"))
	r.Fix = "raise fs.inotify.max_user_instances; the profile kubernetes does"
	return []CheckResult{r}
}

// raises reports whether Up would change an item.
func (p *prospect) raises(k item.Key) bool {
	for _, r := range p.report.Results() {
		if r.Key == k {
			return r.Outcome == item.Changed
		}
	}
	return false
}

// inotifyOfRoot counts open inotify instances. It is not seen where /proc cannot be
// looked through; processes that end meanwhile do not count.
func (p *prospect) inotifyOfRoot(ctx context.Context) (n int, seen bool) {
	names, err := p.machine.Files.ReadDir(procDir)
	if err != nil {
		return 0, false
	}
	for _, name := range names {
		dir := path.Join(procDir, name)
		if _, err := strconv.Atoi(name); err != nil || !p.ofRoot(dir) || ctx.Err() != nil {
			continue
		}
		fds, err := p.machine.Files.ReadDir(dir + "/fd")
		if err != nil {
			continue
		}
		seen = true
		for _, fd := range fds {
			if target, err := p.machine.Files.Readlink(path.Join(dir, "fd", fd)); err == nil && target == inotifyFile {
				n++
			}
		}
	}
	return n, seen
}

func (p *prospect) ofRoot(dir string) bool {
	info, err := p.machine.Files.Lstat(dir)
	if err != nil {
		return false
	}
	owner, ok := info.Sys().(machine.Owner)
	return ok && owner.UID == 0
}
