package v1alpha1

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// LabelHostname is the label that a node of one name alone has.
const LabelHostname = "kubernetes.io/hostname"

func validateNodeIP(n *NodeIP, path *field.Path) field.ErrorList {
	if n == nil {
		return nil
	}
	errs := validateFamilies(n.IPFamilies, path.Child("ipFamilies"))
	errs = append(errs, validateNetworks(n.Subnets, MaxNodeIPSubnets, path.Child("subnets"),
		"a subnet is a network; write for example 192.0.2.0/24")...)
	errs = append(errs, validateNetworks(n.ExcludeAddresses, MaxNodeIPExcluded, path.Child("excludeAddresses"),
		"an excluded address is an address or a network; write for example 192.0.2.2")...)
	errs = append(errs, validateAddress(n, path.Child("address"))...)
	errs = append(errs, validateWord(path.Child("whenAddressMissing"), n.WhenAddressMissing)...)
	if w := n.WaitSeconds; w != nil && (*w < 0 || *w > MaxNodeIPWait) {
		errs = append(errs, field.Invalid(path.Child("waitSeconds"), *w, fmt.Sprintf("must be from 0 to %d", MaxNodeIPWait)))
	}
	return append(errs, validateWord(path.Child("publish"), n.Publish)...)
}

func validateFamilies(families []IPFamily, path *field.Path) field.ErrorList {
	for i, f := range families {
		if f != IPv4 && f != IPv6 {
			err := field.NotSupported(path.Index(i), f, f.Words())
			err.Detail = "must be " + OneOf(f.Words())
			return field.ErrorList{err}
		}
	}
	if len(families) == 0 || slices.Equal(families, []IPFamily{IPv4}) || slices.Equal(families, []IPFamily{IPv4, IPv6}) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, families, "ipFamilies is [IPv4] or [IPv4, IPv6]: the primary family is IPv4")}
}

func validateNetworks(list []string, most int, path *field.Path, detail string) field.ErrorList {
	errs := tooMany(path, len(list), most)
	for i, text := range list[:min(len(list), most)] {
		if len(text) > maxNetworkLength || !isNetwork(text) {
			errs = append(errs, field.Invalid(path.Index(i), text, detail))
		} else if first := slices.Index(list, text); first < i {
			errs = append(errs, duplicate(path.Index(i), text, fmt.Sprintf("is in entry %d already; keep one of them", first))...)
		}
	}
	return errs
}

// isNetwork takes what CEL's isCIDR and isIP take.
func isNetwork(text string) bool {
	if p, err := netip.ParsePrefix(text); err == nil {
		return !p.Addr().Is4In6()
	}
	return isAddress(text)
}

func isAddress(text string) bool {
	a, err := netip.ParseAddr(text)
	return err == nil && a.Zone() == "" && !a.Is4In6()
}

func validateAddress(n *NodeIP, path *field.Path) field.ErrorList {
	if n.Address == "" {
		return nil
	}
	if problem := addressProblem(n.Address, n.DualStack()); problem != "" {
		return field.ErrorList{field.Invalid(path, n.Address, problem)}
	}
	return nil
}

func addressProblem(text string, dual bool) string {
	words := strings.Split(text, ",")
	if len(text) > maxAddressesLength {
		return "address is an IP address; write for example 192.0.2.10"
	}
	for _, w := range words {
		if !isAddress(w) {
			return "address is an IP address, without blanks, leading zeros and prefix length; write for example 192.0.2.10"
		}
		if kind := unreachable(netip.MustParseAddr(w)); kind != "" {
			return w + " is " + kind + ", and names no node that others can reach"
		}
	}
	switch {
	case len(words) > 2 || !netip.MustParseAddr(words[0]).Is4() || len(words) == 2 && netip.MustParseAddr(words[1]).Is4():
		return "address is the IPv4 address, or v4,v6: the primary family is IPv4"
	case dual != (len(words) == 2):
		return "address has one address for each family; write the IPv4 address, or v4,v6 if ipFamilies is [IPv4, IPv6]"
	}
	return ""
}

func unreachable(a netip.Addr) string {
	switch {
	case a.IsLoopback():
		return "a loopback address"
	case a.IsUnspecified():
		return "the all-zeros address"
	case a.IsMulticast():
		return "a multicast address"
	case a.IsLinkLocalUnicast():
		return "a link-local address"
	case a == netip.AddrFrom4([4]byte{255, 255, 255, 255}):
		return "the broadcast address"
	}
	return ""
}

// ValidateInCluster returns what is wrong with a profile in a cluster, and not in a file
// for one host. A profile that Validate refuses need not be given.
func ValidateInCluster(p *HostProfile) field.ErrorList {
	n := p.Spec.NodeIP
	if n == nil || n.Address == "" || selectsByName(p.Spec.NodeSelector) {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath("spec", "nodeIP", "address"), n.Address,
		"no two nodes have one address; select one by the label "+LabelHostname+" in matchLabels, or name subnets")}
}

func selectsByName(s *metav1.LabelSelector) bool {
	return s != nil && s.MatchLabels[LabelHostname] != ""
}
