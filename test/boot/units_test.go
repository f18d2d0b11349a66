package boot_test

const (
	remote = "/srv/bootstrap"
	// seen is where the stand-in for kubelet writes what it finds, a file for each boot.
	seen = "/var/lib/kubelet-saw"
)

// kubelet is a stand-in for kubelet.
const kubelet = `[Unit]
Description=A stand-in for kubelet

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh ` + look + `
Restart=on-failure
RestartSec=1s

[Install]
WantedBy=multi-user.target
`

// look writes down what kubelet finds. Settings that are not there are left out.
const look = "/usr/local/lib/kubelet-looks"

const lookScript = `mkdir -p ` + seen + `
boot=$(cat /proc/sys/kernel/random/boot_id)
{
	grep -q ^/ /proc/swaps && sed 1d /proc/swaps || echo no swap
	cd /proc/sys && for k in net/ipv4/ip_forward net/bridge/bridge-nf-call-iptables net/core/somaxconn net/ipv4/conf/all/accept_redirects \
		vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes \
		fs/inotify/max_user_instances; do
		test -e $k && echo "$k = $(cat $k)"
	done
	for m in overlay br_netfilter; do test -d /sys/module/$m && echo "module $m"; done
	echo "bpffs $(stat -f -c %T /sys/fs/bpf)"
	echo "root $(findmnt -n -o PROPAGATION /)"
} >` + seen + `/$boot.new
mv ` + seen + `/$boot.new ` + seen + `/$boot
`
