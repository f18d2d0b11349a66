package vm_test

import (
	"regexp"
	"strings"

	"github.com/hostprofile/hostprofile/test/strace"
)

// changing are the system calls that change a file or the kernel. Opening counts if it
// makes or empties a file.
const changing = "write,pwrite64,writev,pwritev,pwritev2,sendfile,splice,copy_file_range,fallocate,truncate,ftruncate," +
	"open,openat,openat2,creat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,mknod,mknodat," +
	"chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat,futimesat,setxattr,fsetxattr,lsetxattr,removexattr,fremovexattr," +
	"fsync,fdatasync,sync,syncfs,sync_file_range,msync,mount,umount2,swapon,swapoff,init_module,finit_module,delete_module"

// lockFile is the one file that a run may write which changes nothing.
const lockFile = "/run/hostprofile/run.lock"

// traced runs our program, which must end well, and returns each system call with which
// it changed something, and what it said.
func (n *node) traced(args ...string) (changes []string, said string) {
	n.t.Helper()
	const out = "/run/trace"
	argv := append([]string{"strace", "-f", "-y", "-qq", "-s", "200", "-o", out, "-e", "trace=" + changing, "-e", "signal=none", remote}, args...)
	r := n.run(argv...)
	if r.ExitCode != 0 {
		n.t.Fatalf("%v ended with %d:\n%s%s", args, r.ExitCode, r.Stdout, r.Stderr)
	}
	for _, call := range strace.Calls(n.sh("cat " + out + "; rm " + out)) {
		if changesHost(call) {
			changes = append(changes, call)
		}
	}
	return changes, r.Stdout
}

var (
	callOf   = regexp.MustCompile(`^\d+ +(\w+)`)
	syncing  = regexp.MustCompile(`^(f|fdata|file_range_)?sync|^syncfs|^msync|^sync_file_range`)
	guarded  = regexp.MustCompile(`[<"](/proc/sys|/etc|/var/lib|/run)[/>"]`)
	creating = regexp.MustCompile(`O_CREAT|O_TRUNC|O_TMPFILE`)
	failed   = regexp.MustCompile(` = -1 E`)
)

// changesHost reports whether a system call is a change of the host, or a wait for its disk.
func changesHost(line string) bool {
	call := callOf.FindStringSubmatch(line)
	switch {
	case call == nil:
		return false
	case syncing.MatchString(call[1]):
		return true
	case failed.MatchString(line), strings.Contains(line, lockFile), isLock(line):
		return false
	case strings.HasPrefix(call[1], "open"):
		return creating.MatchString(line) && guarded.MatchString(line)
	case strings.HasPrefix(call[1], "swap"), strings.HasSuffix(call[1], "_module"), call[1] == "mount", call[1] == "umount2":
		return true
	default:
		return guarded.MatchString(line)
	}
}

// isLock: the lock file may be named by its folder's descriptor and its own name.
func isLock(line string) bool {
	return strings.Contains(line, `</run/hostprofile>, "run.lock"`)
}
