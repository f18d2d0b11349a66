package bench_test

import (
	"fmt"
	"slices"
	"strings"
)

// The work of BenchmarkPrepare: what the three built-in profiles wish, and what a site
// adds, up to 40 sysctls and 4 modules. Patterns are keys of interfaces that do not exist
// yet: they are lines of the boot file.
var (
	builtinSysctls = strings.Fields(`net/ipv4/ip_forward=1 net/bridge/bridge-nf-call-iptables=1 net/bridge/bridge-nf-call-ip6tables=1
fs/inotify/max_user_instances=8192 fs/inotify/max_user_watches=524288 vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10
kernel/panic_on_oops=1 kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000`)
	builtinPatterns = []string{"net/ipv4/conf/lxc*/rp_filter=0", "net/ipv4/conf/cilium_*/rp_filter=0"}
	siteSysctls     = strings.Fields(`net/core/somaxconn=8192 net/ipv4/tcp_max_syn_backlog=8192 net/ipv4/tcp_fin_timeout=30
net/ipv4/tcp_keepalive_time=600 net/ipv4/tcp_keepalive_intvl=30 net/ipv4/tcp_keepalive_probes=5 net/ipv4/tcp_slow_start_after_idle=0
net/ipv4/tcp_mtu_probing=1 net/ipv4/tcp_syn_retries=4 net/ipv4/tcp_retries1=4 net/ipv4/tcp_retries2=10 net/ipv4/tcp_orphan_retries=3
net/ipv4/tcp_synack_retries=4 net/ipv4/tcp_notsent_lowat=131072 net/ipv4/tcp_fastopen=3 net/ipv4/tcp_reordering=5 net/ipv4/tcp_ecn=1
net/ipv4/tcp_syncookies=2 net/ipv4/tcp_tw_reuse=1 net/ipv4/tcp_rfc1337=1 net/ipv4/igmp_max_memberships=50 net/ipv4/ipfrag_time=20
net/ipv4/fib_multipath_hash_policy=1 net/ipv4/ip_nonlocal_bind=1 net/ipv4/udp_rmem_min=8192 net/ipv4/udp_wmem_min=8192
net/ipv4/conf/all/log_martians=1`)
	modules     = []string{"overlay", "br_netfilter", "ip_vs", "vxlan"}
	trusted     = []string{"cilium_host", "cilium_net", "cilium_vxlan", "cilium_geneve", "lxc+"}
	siteModules = modules[2:]
)

const untrusted = "lxcbr0"

// unitLines give the host a unit that prepares it at every boot, as ours does.
const unitLines = `cat >/etc/systemd/system/prepare.service <<'END'
[Unit]
Before=kubelet.service
[Service]
Type=oneshot
ExecStart=/srv/prepare.sh
[Install]
WantedBy=multi-user.target
END
systemctl -q enable prepare.service
`

func allSysctls() []string { return slices.Concat(builtinSysctls, siteSysctls) }

func wantedPaths() []string {
	var all []string
	for _, s := range allSysctls() {
		path, _, _ := strings.Cut(s, "=")
		all = append(all, path)
	}
	return all
}

// siteYAML is what the site wishes beside the built-in profiles.
func siteYAML(modules []string) string {
	var p strings.Builder
	p.WriteString("apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec:\n  nodeSelector: {}\n  sysctls:\n")
	for _, s := range siteSysctls {
		path, value, _ := strings.Cut(s, "=")
		fmt.Fprintf(&p, "    - {name: %s, value: %s}\n", strings.ReplaceAll(path, "/", "."), value)
	}
	if len(modules) > 0 {
		p.WriteString("  kernelModules:\n")
	}
	for _, m := range modules {
		fmt.Fprintf(&p, "    - {name: %s}\n", m)
	}
	return p.String()
}

// script is how hosts are usually prepared. Of what such scripts do in several ways it
// takes the cheaper one: sysctl -p of its own file, and not --system.
func script(sysctls, modules []string) string {
	var s strings.Builder
	if len(modules) > 0 {
		s.WriteString("cat >/etc/modules-load.d/kubernetes.conf <<'END'\n" + strings.Join(modules, "\n") + "\nEND\n")
	}
	for _, m := range modules {
		s.WriteString("modprobe " + m + "\n")
	}
	s.WriteString("cat >/etc/sysctl.d/99-kubernetes.conf <<'END'\n")
	for _, l := range sysctls {
		s.WriteString(strings.Replace(l, "=", " = ", 1) + "\n")
	}
	for _, l := range builtinPatterns {
		s.WriteString("-" + strings.Replace(l, "=", " = ", 1) + "\n")
	}
	s.WriteString("END\nsysctl -q -p /etc/sysctl.d/99-kubernetes.conf\nswapoff -a\n" + unitLines)
	bind := func(zone, link string) {
		for _, config := range []string{"", "--permanent "} {
			fmt.Fprintf(&s, "firewall-cmd -q %s--zone=%s --add-interface=%s\n", config, zone, link)
		}
	}
	for _, link := range trusted {
		bind("trusted", link)
	}
	bind("public", untrusted)
	return s.String()
}

const resetScript = `systemctl stop firewalld
/srv/bootstrap down --yes --purge -q >/dev/null 2>&1 || true
rm -rf /etc/firewalld/zones/* /etc/modules-load.d/*kubernetes.conf /etc/sysctl.d/99-kubernetes.conf /etc/modules-load.d/*hostprofile* /etc/sysctl.d/*hostprofile*
! test -e /var/lib/hostprofile || rm -rf /var/lib/hostprofile
rm -rf /run/hostprofile
systemctl -q disable prepare.service 2>/dev/null || true
rm -f /etc/systemd/system/prepare.service
sysctl -q -p /srv/before/values 2>/dev/null || true
systemctl start firewalld
until firewall-cmd -q --state; do sleep 0.1; done
sync
`

// checkScript fails unless all of the work is done that a container can have done.
func checkScript() string {
	var s strings.Builder
	for _, l := range siteSysctls {
		path, value, _ := strings.Cut(l, "=")
		fmt.Fprintf(&s, "test \"$(cat /proc/sys/%s)\" = %s || { echo %s >&2; exit 1; }\n", path, value, path)
	}
	s.WriteString("grep -q lxc /etc/sysctl.d/*.conf\n")
	for _, config := range []string{"", " --permanent"} {
		fmt.Fprintf(&s, "for i in %s; do case \" $(firewall-cmd%s --zone=trusted --list-interfaces) \" in *\" $i \"*) ;; *) echo $i >&2; exit 1;; esac; done\n", strings.Join(trusted, " "), config)
		fmt.Fprintf(&s, "firewall-cmd%s --zone=public --list-interfaces | grep -q %s\n", config, untrusted)
	}
	return s.String()
}
