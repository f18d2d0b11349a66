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
	names family
	shape shape
}

// shapeOf returns what is known about the value of a setting. Most settings are not
// known: the kernel decides about those, when the value is written.
func shapeOf(name SysctlName) (shape, bool) {
	for _, table := range [][]knownSysctl{netSysctls, tcpSysctls, kernelSysctls, memorySysctls} {
		for _, known := range table {
			if known.names.cover(name) {
				return known.shape, true
			}
		}
	}
	return shape{}, false
}

var netSysctls = []knownSysctl{
	{names("net.ipv4.ip_forward"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.forwarding"), integerOf(0, 1)},
	{names("net.ipv6.conf.*.forwarding"), integerOf(0, 2)},
	{names("net.ipv4.conf.*.rp_filter"), integerOf(0, 2)},
	{names("net.ipv4.conf.*.accept_redirects"), integerOf(0, 1)},
	{names("net.ipv6.conf.*.accept_redirects"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.secure_redirects"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.send_redirects"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.log_martians"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.accept_local"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.accept_source_route"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.arp_filter"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.arp_announce"), integerOf(0, 2)},
	{names("net.ipv4.conf.*.arp_ignore"), integerOf(0, 8)},
	{names("net.ipv4.conf.*.proxy_arp"), integerOf(0, 1)},
	{names("net.ipv4.conf.*.route_localnet"), integerOf(0, 1)},
	{names("net.ipv6.conf.*.accept_ra"), integerOf(0, 2)},
	{names("net.ipv6.conf.*.autoconf"), integerOf(0, 1)},
	{names("net.ipv6.conf.*.disable_ipv6"), integerOf(0, 1)},
	{names("net.ipv6.bindv6only"), integerOf(0, 1)},
	{names("net.bridge.bridge-nf-call-iptables"), integerOf(0, 1)},
	{names("net.bridge.bridge-nf-call-ip6tables"), integerOf(0, 1)},
	{names("net.bridge.bridge-nf-call-arptables"), integerOf(0, 1)},
	{names("net.ipv4.icmp_echo_ignore_all"), integerOf(0, 1)},
	{names("net.ipv4.icmp_echo_ignore_broadcasts"), integerOf(0, 1)},
	{names("net.ipv4.neigh.default.gc_thresh1"), integerOf(0, intMax)},
	{names("net.ipv4.neigh.default.gc_thresh2"), integerOf(0, intMax)},
	{names("net.ipv4.neigh.default.gc_thresh3"), integerOf(0, intMax)},
	{names("net.ipv6.neigh.default.gc_thresh1"), integerOf(0, intMax)},
	{names("net.ipv6.neigh.default.gc_thresh2"), integerOf(0, intMax)},
	{names("net.ipv6.neigh.default.gc_thresh3"), integerOf(0, intMax)},
	{names("net.ipv4.ip_local_port_range"), risingOf(1, math.MaxUint16, "first", "last")},
	// "1 0" is the kernel's own way to say "no group", so the order is free.
	{names("net.ipv4.ping_group_range"), integersOf(0, uintMax, "first", "last")},
	{names("net.ipv4.udp_mem"), risingOf(0, longMax, "min", "pressure", "max")},
	{names("net.core.somaxconn"), integerOf(0, intMax)},
	{names("net.core.netdev_max_backlog"), integerOf(0, intMax)},
	{names("net.core.rmem_max"), integerOf(1, intMax)},
	{names("net.core.wmem_max"), integerOf(1, intMax)},
	{names("net.core.rmem_default"), integerOf(1, intMax)},
	{names("net.core.wmem_default"), integerOf(1, intMax)},
	{names("net.core.optmem_max"), integerOf(0, intMax)},
	{names("net.core.default_qdisc"), shape{word: true}},
	{names("net.core.flow_limit_cpu_bitmap"), shape{bitmask: true}},
	{names("net.core.rps_default_mask"), shape{bitmask: true}},
	{names("net.core.bpf_jit_harden"), integerOf(0, 2)},
	{names("net.netfilter.nf_conntrack_max"), integerOf(0, uintMax)},
	{names("net.nf_conntrack_max"), integerOf(0, uintMax)},
	{names("net.unix.max_dgram_qlen"), integerOf(0, intMax)},
}

var tcpSysctls = []knownSysctl{
	{names("net.ipv4.tcp_rmem"), risingOf(1, intMax, "min", "default", "max")},
	{names("net.ipv4.tcp_wmem"), risingOf(1, intMax, "min", "default", "max")},
	{names("net.ipv4.tcp_mem"), risingOf(0, longMax, "min", "pressure", "max")},
	{names("net.ipv4.tcp_syncookies"), integerOf(0, 2)},
	{names("net.ipv4.tcp_tw_reuse"), integerOf(0, 2)},
	{names("net.ipv4.tcp_fin_timeout"), integerOf(0, intMax)},
	{names("net.ipv4.tcp_keepalive_time"), integerOf(1, intMax)},
	{names("net.ipv4.tcp_keepalive_intvl"), integerOf(1, intMax)},
	{names("net.ipv4.tcp_keepalive_probes"), integerOf(0, math.MaxUint8)},
	{names("net.ipv4.tcp_max_syn_backlog"), integerOf(0, intMax)},
	{names("net.ipv4.tcp_max_tw_buckets"), integerOf(0, intMax)},
	{names("net.ipv4.tcp_slow_start_after_idle"), integerOf(0, 1)},
	{names("net.ipv4.tcp_timestamps"), integerOf(0, 2)},
	{names("net.ipv4.tcp_sack"), integerOf(0, 1)},
	{names("net.ipv4.tcp_window_scaling"), integerOf(0, 1)},
	{names("net.ipv4.tcp_congestion_control"), shape{word: true}},
}

var kernelSysctls = []knownSysctl{
	{names("kernel.panic"), integerOf(intMin, intMax)},
	{names("kernel.panic_on_oops"), integerOf(0, 1)},
	{names("kernel.pid_max"), integerOf(301, 4194304)},
	{names("kernel.threads-max"), integerOf(1, intMax)},
	{names("kernel.keys.maxkeys"), integerOf(0, intMax)},
	{names("kernel.keys.maxbytes"), integerOf(0, intMax)},
	{names("kernel.keys.root_maxkeys"), integerOf(0, intMax)},
	{names("kernel.keys.root_maxbytes"), integerOf(0, intMax)},
	{names("kernel.sem"), integersOf(0, intMax, "semmsl", "semmns", "semopm", "semmni")},
	{names("kernel.printk"), integersOf(0, intMax, "console", "default", "minimum", "boot-time")},
	{names("kernel.shmmax"), integerOf(0, ulong)},
	{names("kernel.shmall"), integerOf(0, ulong)},
	{names("kernel.shmmni"), integerOf(0, intMax)},
	{names("kernel.msgmax"), integerOf(0, intMax)},
	{names("kernel.msgmnb"), integerOf(0, intMax)},
	{names("kernel.kptr_restrict"), integerOf(0, 2)},
	{names("kernel.dmesg_restrict"), integerOf(0, 1)},
	{names("kernel.randomize_va_space"), integerOf(0, 2)},
	{names("kernel.yama.ptrace_scope"), integerOf(0, 3)},
	{names("kernel.unprivileged_bpf_disabled"), integerOf(0, 2)},
	{names("kernel.nmi_watchdog"), integerOf(0, 1)},
	{names("user.max_user_namespaces"), integerOf(0, intMax)},
}

var memorySysctls = []knownSysctl{
	{names("vm.overcommit_memory"), integerOf(0, 2)},
	{names("vm.overcommit_ratio"), integerOf(0, intMax)},
	{names("vm.panic_on_oom"), integerOf(0, 2)},
	{names("vm.swappiness"), integerOf(0, 200)},
	{names("vm.max_map_count"), integerOf(0, intMax)},
	{names("vm.dirty_ratio"), integerOf(0, 100)},
	{names("vm.dirty_background_ratio"), integerOf(0, 100)},
	{names("vm.dirty_bytes"), integerOf(0, ulong)},
	{names("vm.dirty_background_bytes"), integerOf(0, ulong)},
	{names("vm.vfs_cache_pressure"), integerOf(0, intMax)},
	{names("vm.min_free_kbytes"), integerOf(0, intMax)},
	{names("vm.nr_hugepages"), integerOf(0, ulong)},
	{names("vm.mmap_min_addr"), integerOf(0, ulong)},
	{names("fs.file-max"), integerOf(0, longMax)},
	{names("fs.nr_open"), integerOf(1, intMax)},
	{names("fs.aio-max-nr"), integerOf(0, ulong)},
	{names("fs.inotify.max_user_instances"), integerOf(0, intMax)},
	{names("fs.inotify.max_user_watches"), integerOf(0, intMax)},
	{names("fs.inotify.max_queued_events"), integerOf(0, intMax)},
	{names("fs.pipe-max-size"), integerOf(1, uintMax)},
	{names("fs.protected_hardlinks"), integerOf(0, 1)},
	{names("fs.protected_symlinks"), integerOf(0, 1)},
	{names("fs.protected_fifos"), integerOf(0, 2)},
	{names("fs.protected_regular"), integerOf(0, 2)},
	{names("fs.suid_dumpable"), integerOf(0, 2)},
}
