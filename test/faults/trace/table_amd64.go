package trace

import (
	"maps"

	"golang.org/x/sys/unix"
)

// The older forms of calls, which other architectures do not have.
func init() {
	maps.Copy(changing, map[uint64]shape{
		unix.SYS_OPEN: opening("open", none, 0, 1), unix.SYS_CREAT: at("creat", none, 0), unix.SYS_MKDIR: at("mkdir", none, 0), unix.SYS_MKNOD: at("mknod", none, 0),
		unix.SYS_RMDIR: at("rmdir", none, 0), unix.SYS_UNLINK: at("unlink", none, 0), unix.SYS_RENAME: two("rename", none, 0, none, 1),
		unix.SYS_LINK: two("link", none, 0, none, 1), unix.SYS_SYMLINK: two("symlink", none, 0, none, 1),
		unix.SYS_CHMOD: at("chmod", none, 0), unix.SYS_CHOWN: at("chown", none, 0), unix.SYS_LCHOWN: at("lchown", none, 0),
		unix.SYS_FUTIMESAT: at("futimesat", 0, 1), unix.SYS_UTIME: at("utime", none, 0), unix.SYS_UTIMES: at("utimes", none, 0),
	})
	quiet = append(quiet,
		unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS, unix.SYS_READLINK, unix.SYS_PIPE, unix.SYS_POLL, unix.SYS_SELECT,
		unix.SYS_EPOLL_WAIT, unix.SYS_VFORK, unix.SYS_FORK, unix.SYS_ARCH_PRCTL, unix.SYS_GETPGRP, unix.SYS_DUP2,
	)
}
