package hostops

import (
	"net/netip"

	"github.com/hostprofile/hostprofile/hostops/nodeip"
)

// reportedAddress takes the addresses by which the cluster knows this node, where nothing
// on the host names one. Those that the host has come before others.
func (h *Host) reportedAddress(q *nodeip.Question) {
	if q.Saved != nil || q.Node.IP != "" || len(h.reported) == 0 {
		return
	}
	var v4, v6 string
	for _, present := range []bool{true, false} {
		for _, text := range h.reported {
			a, err := netip.ParseAddr(text)
			switch {
			case err != nil || q.Snapshot.Has(a) != present:
			case a.Is4() && v4 == "":
				v4 = text
			case a.Is6() && v6 == "":
				v6 = text
			}
		}
	}
	q.Node = nodeip.Running{Exists: true, IP: v4, From: "the status of the Node"}
	if q.Wish.DualStack && v4 != "" && v6 != "" {
		q.Node.IP += "," + v6
	}
}
