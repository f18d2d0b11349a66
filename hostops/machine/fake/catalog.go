package fake

// Catalog returns the sysctls of a usual kernel, which New uses: path and default.
// The map is the caller's.
func Catalog() map[string]string {
	keys := map[string]string{
		"fs/aio-max-nr":                        "65536",
		"fs/file-max":                          "9223372036854775807",
		"fs/inotify/max_user_instances":        "128",
		"fs/inotify/max_user_watches":          "29463",
		"fs/may_detach_mounts":                 "0",
		"kernel/core_pattern":                  "core",
		"kernel/hostname":                      "node1.example.net",
		"kernel/keys/root_maxbytes":            "25000000",
		"kernel/keys/root_maxkeys":             "1000000",
		"kernel/msgmax":                        "8192",
		"kernel/nmi_watchdog":                  "1",
		"kernel/osrelease":                     "6.12.74+deb13+1-amd64",
		"kernel/panic":                         "0",
		"kernel/panic_on_oops":                 "0",
		"kernel/pid_max":                       "32768",
		"kernel/printk":                        "4 4 1 7",
		"kernel/random/boot_id":                "",
		"kernel/sem":                           "32000 1024000000 500 32000",
		"kernel/shmmax":                        "18446744073692774399",
		"kernel/soft_watchdog":                 "1",
		"kernel/watchdog":                      "1",
		"net/core/netdev_max_backlog":          "1000",
		"net/core/somaxconn":                   "4096",
		"net/ipv4/ip_forward":                  "0",
		"net/ipv4/ip_local_port_range":         "32768 60999",
		"net/ipv4/neigh/default/gc_thresh1":    "128",
		"net/ipv4/neigh/default/gc_thresh2":    "512",
		"net/ipv4/neigh/default/gc_thresh3":    "1024",
		"net/ipv4/tcp_rmem":                    "4096 131072 6291456",
		"net/ipv4/tcp_syncookies":              "1",
		"net/ipv4/tcp_wmem":                    "4096 16384 4194304",
		"net/ipv4/ip_local_reserved_ports":     "",
		"net/ipv4/neigh/default/ucast_solicit": "3",
		"net/ipv4/route/flush":                 "",
		"net/ipv4/tcp_congestion_control":      "cubic",
		"net/ipv4/tcp_retries1":                "3",
		"vm/dirty_background_bytes":            "0",
		"vm/dirty_background_ratio":            "10",
		"vm/dirty_bytes":                       "0",
		"vm/dirty_ratio":                       "20",
		"vm/max_map_count":                     "65530",
		"vm/min_free_kbytes":                   "67584",
		"vm/overcommit_kbytes":                 "0",
		"vm/overcommit_memory":                 "0",
		"vm/overcommit_ratio":                  "50",
		"vm/panic_on_oom":                      "0",
		"vm/swappiness":                        "60",
	}
	for _, dir := range []string{"net/ipv4/conf/all/", "net/ipv4/conf/default/"} {
		for key, value := range conf4 {
			keys[dir+key] = value
		}
	}
	for _, dir := range []string{"net/ipv6/conf/all/", "net/ipv6/conf/default/"} {
		for key, value := range conf6 {
			keys[dir+key] = value
		}
	}
	return keys
}

// Keys that every interface has: all and default have them too.
var conf4 = map[string]string{
	"accept_local": "0", "accept_redirects": "1", "accept_source_route": "1", "arp_announce": "0",
	"arp_filter": "0", "arp_ignore": "0", "disable_policy": "0", "disable_xfrm": "0",
	"drop_unicast_in_l2_multicast": "0", "forwarding": "0", "log_martians": "0", "mc_forwarding": "0",
	"promote_secondaries": "0", "proxy_arp": "0", "route_localnet": "0", "rp_filter": "0",
	"secure_redirects": "1", "send_redirects": "1", "src_valid_mark": "0", "tag": "0",
}

var conf6 = map[string]string{
	"accept_ra": "1", "accept_redirects": "1", "accept_source_route": "0", "addr_gen_mode": "0",
	"autoconf": "1", "disable_ipv6": "0", "forwarding": "0", "keep_addr_on_down": "0",
	"ignore_routes_with_linkdown": "0", "proxy_ndp": "0", "use_tempaddr": "0",
}

// distribution are the modules of a usual distribution.
var distribution = []Module{
	{Name: "bridge"},
	{Name: "br_netfilter", Needs: []string{"bridge"}, Keys: map[string]string{
		"net/bridge/bridge-nf-call-arptables":      "1",
		"net/bridge/bridge-nf-call-ip6tables":      "1",
		"net/bridge/bridge-nf-call-iptables":       "1",
		"net/bridge/bridge-nf-filter-pppoe-tagged": "0",
		"net/bridge/bridge-nf-filter-vlan-tagged":  "0",
		"net/bridge/bridge-nf-pass-vlan-input-dev": "0",
	}},
	{Name: "nf_conntrack", Keys: map[string]string{
		"net/netfilter/nf_conntrack_buckets":                 "65536",
		"net/netfilter/nf_conntrack_max":                     "262144",
		"net/netfilter/nf_conntrack_tcp_be_liberal":          "0",
		"net/netfilter/nf_conntrack_tcp_timeout_close_wait":  "60",
		"net/netfilter/nf_conntrack_tcp_timeout_established": "432000",
	}},
	{Name: "ip_vs", Needs: []string{"nf_conntrack"}, Keys: map[string]string{
		"net/ipv4/vs/conntrack": "0", "net/ipv4/vs/conn_reuse_mode": "1", "net/ipv4/vs/expire_nodest_conn": "0",
	}},
	{Name: "overlay"},
	{Name: "zram"},
}
