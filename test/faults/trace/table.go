package trace

import (
	"slices"

	"golang.org/x/sys/unix"
)

// shape says which arguments of a call name what it changes.
type shape struct {
	name   string
	fd     int // argument with the descriptor that is changed, or none
	dir    int // argument with the directory of path, or none: the working directory
	path   int // argument with a path, or none
	toDir  int // as dir and path, of the second one
	to     int
	flags  int // argument with the flags of an open, or none
	socket bool
}

const none = -1

// fd is a call that changes what a descriptor stands for.
func fd(name string, at int) shape {
	return shape{name: name, fd: at, dir: none, path: none, toDir: none, to: none, flags: none}
}

// at is a call on a path below a directory.
func at(name string, dir, path int) shape {
	return shape{name: name, fd: none, dir: dir, path: path, toDir: none, to: none, flags: none}
}

// two is a call on two paths.
func two(name string, dir, path, toDir, to int) shape {
	return shape{name: name, fd: none, dir: dir, path: path, toDir: toDir, to: to, flags: none}
}

// opening is a call that changes something if it makes or empties a file.
func opening(name string, dir, path, flags int) shape {
	return shape{name: name, fd: none, dir: dir, path: path, toDir: none, to: none, flags: flags}
}

// sending changes something if the descriptor is a socket: the bus is reached so.
func sending(name string) shape {
	s := fd(name, 0)
	s.socket = true
	return s
}

// changing are the calls that change a host.
var changing = map[uint64]shape{
	unix.SYS_WRITE: sending("write"), unix.SYS_WRITEV: sending("writev"),
	unix.SYS_SENDTO: sending("sendto"), unix.SYS_SENDMSG: sending("sendmsg"), unix.SYS_SENDMMSG: sending("sendmmsg"),
	unix.SYS_PWRITE64: fd("pwrite64", 0), unix.SYS_PWRITEV: fd("pwritev", 0), unix.SYS_PWRITEV2: fd("pwritev2", 0),
	unix.SYS_SENDFILE: fd("sendfile", 0), unix.SYS_SPLICE: fd("splice", 2), unix.SYS_COPY_FILE_RANGE: fd("copy_file_range", 2),
	unix.SYS_FALLOCATE: fd("fallocate", 0), unix.SYS_FTRUNCATE: fd("ftruncate", 0),
	unix.SYS_FCHMOD: fd("fchmod", 0), unix.SYS_FCHOWN: fd("fchown", 0), unix.SYS_FSETXATTR: fd("fsetxattr", 0), unix.SYS_FREMOVEXATTR: fd("fremovexattr", 0),
	unix.SYS_FSYNC: fd("fsync", 0), unix.SYS_FDATASYNC: fd("fdatasync", 0), unix.SYS_SYNCFS: fd("syncfs", 0), unix.SYS_SYNC_FILE_RANGE: fd("sync_file_range", 0),
	unix.SYS_OPENAT: opening("openat", 0, 1, 2), unix.SYS_MKDIRAT: at("mkdirat", 0, 1), unix.SYS_MKNODAT: at("mknodat", 0, 1),
	unix.SYS_UNLINKAT: at("unlinkat", 0, 1), unix.SYS_FCHMODAT: at("fchmodat", 0, 1), unix.SYS_FCHMODAT2: at("fchmodat2", 0, 1),
	unix.SYS_FCHOWNAT: at("fchownat", 0, 1), unix.SYS_UTIMENSAT: at("utimensat", 0, 1), unix.SYS_TRUNCATE: at("truncate", none, 0),
	unix.SYS_SETXATTR: at("setxattr", none, 0), unix.SYS_LSETXATTR: at("lsetxattr", none, 0),
	unix.SYS_REMOVEXATTR: at("removexattr", none, 0), unix.SYS_LREMOVEXATTR: at("lremovexattr", none, 0),
	unix.SYS_RENAMEAT: two("renameat", 0, 1, 2, 3), unix.SYS_RENAMEAT2: two("renameat2", 0, 1, 2, 3),
	unix.SYS_LINKAT: two("linkat", 0, 1, 2, 3), unix.SYS_SYMLINKAT: two("symlinkat", none, 0, 1, 2),
	unix.SYS_MOUNT: two("mount", none, 0, none, 1), unix.SYS_UMOUNT2: at("umount2", none, 0), unix.SYS_MOVE_MOUNT: two("move_mount", 0, 1, 2, 3),
	unix.SYS_MOUNT_SETATTR: at("mount_setattr", 0, 1), unix.SYS_PIVOT_ROOT: two("pivot_root", none, 0, none, 1),
	unix.SYS_SWAPON: at("swapon", none, 0), unix.SYS_SWAPOFF: at("swapoff", none, 0),
	unix.SYS_INIT_MODULE: at("init_module", none, none), unix.SYS_FINIT_MODULE: fd("finit_module", 0), unix.SYS_DELETE_MODULE: at("delete_module", none, none),
	unix.SYS_SYNC: at("sync", none, none), unix.SYS_SETHOSTNAME: at("sethostname", none, none),
}

// quiet are the calls that change nothing but the process itself.
var quiet = []uint64{
	unix.SYS_READ, unix.SYS_PREAD64, unix.SYS_READV, unix.SYS_PREADV, unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE,
	unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_FSTATFS, unix.SYS_STATFS, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2, unix.SYS_READLINKAT,
	unix.SYS_GETDENTS64, unix.SYS_GETCWD, unix.SYS_CHDIR, unix.SYS_FCNTL, unix.SYS_FLOCK, unix.SYS_DUP, unix.SYS_DUP3, unix.SYS_PIPE2, unix.SYS_IOCTL,
	unix.SYS_GETXATTR, unix.SYS_LGETXATTR, unix.SYS_FGETXATTR, unix.SYS_LISTXATTR, unix.SYS_LLISTXATTR, unix.SYS_FLISTXATTR,
	unix.SYS_INOTIFY_INIT1, unix.SYS_INOTIFY_ADD_WATCH, unix.SYS_INOTIFY_RM_WATCH, unix.SYS_FADVISE64,
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_GETSOCKNAME, unix.SYS_GETPEERNAME, unix.SYS_GETSOCKOPT,
	unix.SYS_SETSOCKOPT, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_SHUTDOWN,
	unix.SYS_EPOLL_CREATE1, unix.SYS_EPOLL_CTL, unix.SYS_EPOLL_PWAIT, unix.SYS_EVENTFD2, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MPROTECT, unix.SYS_MADVISE, unix.SYS_MINCORE, unix.SYS_MREMAP, unix.SYS_BRK,
	unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN, unix.SYS_SIGALTSTACK, unix.SYS_TGKILL, unix.SYS_RESTART_SYSCALL,
	unix.SYS_CLONE, unix.SYS_CLONE3, unix.SYS_EXECVE, unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_WAIT4, unix.SYS_WAITID,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_KILL, unix.SYS_PRCTL, unix.SYS_PRLIMIT64, unix.SYS_SET_TID_ADDRESS,
	unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ, unix.SYS_GETRANDOM, unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_UMASK,
	unix.SYS_FUTEX, unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY,
	unix.SYS_TIMER_CREATE, unix.SYS_TIMER_SETTIME, unix.SYS_TIMER_DELETE, unix.SYS_SETITIMER,
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETUID, unix.SYS_GETEUID, unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_SETPGID,
	unix.SYS_GETRLIMIT, unix.SYS_SETRLIMIT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_CHROOT,
}

// known reports whether a call is in one of the lists.
func known(nr uint64) bool {
	_, ok := changing[nr]
	return ok || slices.Contains(quiet, nr)
}
