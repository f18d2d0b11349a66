package v1alpha1

import "math"

// The kernel's C types, as limits.
const (
	intMax  = math.MaxInt32
	intMin  = math.MinInt32
	uintMax = math.MaxUint32
	longMax = math.MaxInt64
	ulong   = math.MaxUint64
)

// knownSysctl gives the shape of a setting or of a family of settings.
type knownSysctl struct {
	pattern string // as in matches
	shape
}

// shapeOf returns what is known about the value of a setting. Most settings are not
// known: the kernel decides about those, when the value is written.
func shapeOf(name SysctlName) (shape, bool) {
	for _, table := range [][]knownSysctl{netSysctls(), tcpSysctls(), kernelSysctls(), memorySysctls()} {
		for _, known := range table {
			if name.matches(known.pattern) {
				return known.shape, true
			}
		}
	}
	return shape{}, false
}

func netSysctls() []knownSysctl {
	return []knownSysctl{
		{"net.ipv4.ip_forward", integerOf(0, 1)},
		{"net.ipv4.conf.*.forwarding", integerOf(0, 1)},
		{"net.ipv6.conf.*.forwarding", integerOf(0, 2)},
		{"net.ipv4.conf.*.rp_filter", integerOf(0, 2)},
		{"net.ipv4.conf.*.accept_redirects", integerOf(0, 1)},
		{"net.ipv6.conf.*.accept_redirects", integerOf(0, 1)},
		{"net.ipv4.conf.*.secure_redirects", integerOf(0, 1)},
		{"net.ipv4.conf.*.send_redirects", integerOf(0, 1)},
		{"net.ipv4.conf.*.log_martians", integerOf(0, 1)},
		{"net.ipv4.conf.*.accept_local", integerOf(0, 1)},
		{"net.ipv4.conf.*.accept_source_route", integerOf(0, 1)},
		{"net.ipv4.conf.*.arp_filter", integerOf(0, 1)},
		{"net.ipv4.conf.*.arp_announce", integerOf(0, 2)},
		{"net.ipv4.conf.*.arp_ignore", integerOf(0, 8)},
		{"net.ipv4.conf.*.proxy_arp", integerOf(0, 1)},
		{"net.ipv4.conf.*.route_localnet", integerOf(0, 1)},
		{"net.ipv6.conf.*.accept_ra", integerOf(0, 2)},
		{"net.ipv6.conf.*.autoconf", integerOf(0, 1)},
		{"net.ipv6.conf.*.disable_ipv6", integerOf(0, 1)},
		{"net.ipv6.bindv6only", integerOf(0, 1)},
		{"net.bridge.bridge-nf-call-iptables", integerOf(0, 1)},
		{"net.bridge.bridge-nf-call-ip6tables", integerOf(0, 1)},
		{"net.bridge.bridge-nf-call-arptables", integerOf(0, 1)},
		{"net.ipv4.icmp_echo_ignore_all", integerOf(0, 1)},
		{"net.ipv4.icmp_echo_ignore_broadcasts", integerOf(0, 1)},
		{"net.ipv4.neigh.default.gc_thresh1", integerOf(0, intMax)},
		{"net.ipv4.neigh.default.gc_thresh2", integerOf(0, intMax)},
		{"net.ipv4.neigh.default.gc_thresh3", integerOf(0, intMax)},
		{"net.ipv6.neigh.default.gc_thresh1", integerOf(0, intMax)},
		{"net.ipv6.neigh.default.gc_thresh2", integerOf(0, intMax)},
		{"net.ipv6.neigh.default.gc_thresh3", integerOf(0, intMax)},
		{"net.ipv4.ip_local_port_range", risingOf(1, math.MaxUint16, "first", "last")},
		// "1 0" is the kernel's own way to say "no group", so the order is free.
		{"net.ipv4.ping_group_range", integersOf(0, uintMax, "first", "last")},
		{"net.ipv4.udp_mem", risingOf(0, longMax, "min", "pressure", "max")},
		{"net.core.somaxconn", integerOf(0, intMax)},
		{"net.core.netdev_max_backlog", integerOf(0, intMax)},
		{"net.core.rmem_max", integerOf(1, intMax)},
		{"net.core.wmem_max", integerOf(1, intMax)},
		{"net.core.rmem_default", integerOf(1, intMax)},
		{"net.core.wmem_default", integerOf(1, intMax)},
		{"net.core.optmem_max", integerOf(0, intMax)},
		{"net.core.default_qdisc", shape{word: true}},
		{"net.core.flow_limit_cpu_bitmap", shape{bitmask: true}},
		{"net.core.rps_default_mask", shape{bitmask: true}},
		{"net.core.bpf_jit_harden", integerOf(0, 2)},
		{"net.netfilter.nf_conntrack_max", integerOf(0, uintMax)},
		{"net.nf_conntrack_max", integerOf(0, uintMax)},
		{"net.unix.max_dgram_qlen", integerOf(0, intMax)},
	}
}

func tcpSysctls() []knownSysctl {
	return []knownSysctl{
		{"net.ipv4.tcp_rmem", risingOf(1, intMax, "min", "default", "max")},
		{"net.ipv4.tcp_wmem", risingOf(1, intMax, "min", "default", "max")},
		{"net.ipv4.tcp_mem", risingOf(0, longMax, "min", "pressure", "max")},
		{"net.ipv4.tcp_syncookies", integerOf(0, 2)},
		{"net.ipv4.tcp_tw_reuse", integerOf(0, 2)},
		{"net.ipv4.tcp_fin_timeout", integerOf(0, intMax)},
		{"net.ipv4.tcp_keepalive_time", integerOf(1, intMax)},
		{"net.ipv4.tcp_keepalive_intvl", integerOf(1, intMax)},
		{"net.ipv4.tcp_keepalive_probes", integerOf(0, math.MaxUint8)},
		{"net.ipv4.tcp_max_syn_backlog", integerOf(0, intMax)},
		{"net.ipv4.tcp_max_tw_buckets", integerOf(0, intMax)},
		{"net.ipv4.tcp_slow_start_after_idle", integerOf(0, 1)},
		{"net.ipv4.tcp_timestamps", integerOf(0, 2)},
		{"net.ipv4.tcp_sack", integerOf(0, 1)},
		{"net.ipv4.tcp_window_scaling", integerOf(0, 1)},
		{"net.ipv4.tcp_congestion_control", shape{word: true}},
	}
}

func kernelSysctls() []knownSysctl {
	return []knownSysctl{
		{"kernel.panic", integerOf(intMin, intMax)},
		{"kernel.panic_on_oops", integerOf(0, 1)},
		{"kernel.pid_max", integerOf(301, 4194304)},
		{"kernel.threads-max", integerOf(1, intMax)},
		{"kernel.keys.maxkeys", integerOf(0, intMax)},
		{"kernel.keys.maxbytes", integerOf(0, intMax)},
		{"kernel.keys.root_maxkeys", integerOf(0, intMax)},
		{"kernel.keys.root_maxbytes", integerOf(0, intMax)},
		{"kernel.sem", integersOf(0, intMax, "semmsl", "semmns", "semopm", "semmni")},
		{"kernel.printk", integersOf(0, intMax, "console", "default", "minimum", "boot-time")},
		{"kernel.shmmax", integerOf(0, ulong)},
		{"kernel.shmall", integerOf(0, ulong)},
		{"kernel.shmmni", integerOf(0, intMax)},
		{"kernel.msgmax", integerOf(0, intMax)},
		{"kernel.msgmnb", integerOf(0, intMax)},
		{"kernel.kptr_restrict", integerOf(0, 2)},
		{"kernel.dmesg_restrict", integerOf(0, 1)},
		{"kernel.randomize_va_space", integerOf(0, 2)},
		{"kernel.yama.ptrace_scope", integerOf(0, 3)},
		{"kernel.unprivileged_bpf_disabled", integerOf(0, 2)},
		{"kernel.nmi_watchdog", integerOf(0, 1)},
		{"user.max_user_namespaces", integerOf(0, intMax)},
	}
}

func memorySysctls() []knownSysctl {
	return []knownSysctl{
		{"vm.overcommit_memory", integerOf(0, 2)},
		{"vm.overcommit_ratio", integerOf(0, intMax)},
		{"vm.panic_on_oom", integerOf(0, 2)},
		{"vm.swappiness", integerOf(0, 200)},
		{"vm.max_map_count", integerOf(0, intMax)},
		{"vm.dirty_ratio", integerOf(0, 100)},
		{"vm.dirty_background_ratio", integerOf(0, 100)},
		{"vm.dirty_bytes", integerOf(0, ulong)},
		{"vm.dirty_background_bytes", integerOf(0, ulong)},
		{"vm.vfs_cache_pressure", integerOf(0, intMax)},
		{"vm.min_free_kbytes", integerOf(0, intMax)},
		{"vm.nr_hugepages", integerOf(0, ulong)},
		{"vm.mmap_min_addr", integerOf(0, ulong)},
		{"fs.file-max", integerOf(0, longMax)},
		{"fs.nr_open", integerOf(1, intMax)},
		{"fs.aio-max-nr", integerOf(0, ulong)},
		{"fs.inotify.max_user_instances", integerOf(0, intMax)},
		{"fs.inotify.max_user_watches", integerOf(0, intMax)},
		{"fs.inotify.max_queued_events", integerOf(0, intMax)},
		{"fs.pipe-max-size", integerOf(1, uintMax)},
		{"fs.protected_hardlinks", integerOf(0, 1)},
		{"fs.protected_symlinks", integerOf(0, 1)},
		{"fs.protected_fifos", integerOf(0, 2)},
		{"fs.protected_regular", integerOf(0, 2)},
		{"fs.suid_dumpable", integerOf(0, 2)},
	}
}
