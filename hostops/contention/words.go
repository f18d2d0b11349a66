package contention

import (
	"fmt"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// steps are the periods that messages name: coarse, so that a message does not change
// with every change that it is about.
var steps = []time.Duration{
	time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute,
	time.Hour,
}

// nearest returns the step nearest to a period in proportion, zero for none.
func nearest(period time.Duration) time.Duration {
	if period <= 0 {
		return 0
	}
	for i := range len(steps) - 1 {
		if period.Seconds()*period.Seconds() <= steps[i].Seconds()*steps[i+1].Seconds() {
			return steps[i]
		}
	}
	return steps[len(steps)-1]
}

// Message says who wants what, how often, and who it may be.
func (f *Fight) Message() string {
	text := fmt.Sprintf("somebody sets it to %s again and again", f.Theirs)
	if f.Period > 0 {
		text += ", about every " + spell(f.Period)
	}
	return fmt.Sprintf("%s; want %s; likely %s", text, f.Ours, owner(f.Key, f.Period))
}

func spell(d time.Duration) string {
	switch {
	case d == time.Hour:
		return "hour"
	case d >= time.Minute:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	default:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
}

// habits are settings with somebody who is known to set them.
var habits = []struct{ part, owner string }{
	{"nf_conntrack_", "kube-proxy, which has conntrack settings of its own"},
	{"net.ipv4.vs.", "kube-proxy in IPVS mode"},
	{"bridge-nf-call-", "a container runtime or libvirt"},
	{".accept_ra", "systemd-networkd or NetworkManager"},
	{"forwarding", "systemd-networkd or a container runtime"},
	{"net.ipv4.ip_forward", "systemd-networkd or a container runtime"},
	{".rp_filter", "a CNI plugin or a file of sysctl.d that is applied again"},
	{"vm.", "tuned"},
	{"kernel.sched_", "tuned"},
	{"net.core.", "tuned"},
}

func owner(k item.Key, every time.Duration) string {
	who := "a configuration tool"
	if every >= 5*time.Minute {
		who = "a timer or a configuration tool"
	}
	if k.Kind() != item.Sysctl {
		return who
	}
	for _, h := range habits {
		if strings.HasPrefix(k.Name(), h.part) || !strings.HasSuffix(h.part, ".") && strings.Contains(k.Name(), h.part) {
			return h.owner + ", or " + who
		}
	}
	return who
}
