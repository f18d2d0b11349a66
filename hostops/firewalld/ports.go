package firewalld

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Port is one that somebody has to reach on a node, from other nodes.
type Port struct {
	// Number and protocol as firewall-cmd spells them: "8472/udp", "2379-2380/tcp".
	Spelled string
	// Use says who listens, in a few words.
	Use string
	// ControlPlane: only nodes of the control plane have it.
	ControlPlane bool
}

// NodePorts are the ports that a node of Kubernetes with Cilium needs.
func NodePorts() []Port {
	return []Port{
		{Spelled: "10250/tcp", Use: "the kubelet, for logs, exec and metrics"},
		{Spelled: "8472/udp", Use: "Cilium's VXLAN between nodes"},
		{Spelled: "4240/tcp", Use: "Cilium's health checks between nodes"},
		{Spelled: "6443/tcp", Use: "the API server", ControlPlane: true},
		{Spelled: "2379-2380/tcp", Use: "etcd", ControlPlane: true},
	}
}

// Opens reports whether a zone lets a port in.
func Opens(z *machine.Zone, port string) bool {
	if z.Target == accept {
		return true
	}
	return slices.ContainsFunc(z.Ports, func(open string) bool { return covers(open, port) })
}

// covers reports whether one range of ports has all of another.
func covers(outer, inner string) bool {
	lowOuter, highOuter, outerProtocol, ok := portRange(outer)
	lowInner, highInner, innerProtocol, okInner := portRange(inner)
	return ok && okInner && outerProtocol == innerProtocol && lowOuter <= lowInner && highInner <= highOuter
}

func portRange(spelled string) (low, high int, protocol string, ok bool) {
	numbers, protocol, _ := strings.Cut(spelled, "/")
	first, last, isRange := strings.Cut(numbers, "-")
	if !isRange {
		last = first
	}
	low, err := strconv.Atoi(first)
	if err != nil {
		return 0, 0, "", false
	}
	high, err = strconv.Atoi(last)
	return low, high, protocol, err == nil
}
