package report

import (
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// loss says what giving a setting back takes from what runs on the host, empty if
// nothing that is worth a line.
func loss(k item.Key, to item.State) string {
	switch {
	case k.Name() == "net.ipv4.ip_forward" && to.Text() == "0":
		return "! the host stops routing: pods on it lose their network"
	case strings.HasPrefix(k.Name(), "net.bridge.bridge-nf-call-") && to.Text() == "0":
		return "! traffic between pods on one bridge passes Services by"
	case k.Kind() == item.Swap:
		return "! a kubelet refuses to start again while swap is in use"
	default:
		return ""
	}
}
