package nodeip

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
)

var broadcast = netip.AddrFrom4([4]byte{255, 255, 255, 255})

// UnreachableKind names the kind of address a is if it cannot name one host that all
// others can reach, on any network; it is empty for every other address. The name reads
// after "is": "a loopback address". An IPv4 address in IPv6 form is judged as the IPv4
// address. The zero Addr is no address: refuse it before.
func UnreachableKind(a netip.Addr) string {
	a = a.Unmap().WithZone("")
	switch {
	case a.IsLoopback():
		return "a loopback address"
	case a.IsUnspecified():
		return "the all-zeros address"
	case a.IsMulticast():
		return "a multicast address"
	case a.IsLinkLocalUnicast():
		return "a link-local address"
	case a == broadcast:
		return "the broadcast address"
	default:
		return ""
	}
}

// Check refuses a value that no kubelet could register as the address of a node: "v4",
// or "v4,v6" if the cluster is dual-stack. Whether an interface has the address is not
// looked at. The value is taken as it is: blanks, leading zeros and prefix lengths are
// refused.
func Check(value string, dualStack bool) error {
	all, err := Parse(value)
	switch {
	case err != nil:
		return err
	case !all[0].Is4() && len(all) == 1:
		return fmt.Errorf("%s is IPv6 alone, and the primary family of the cluster is IPv4: write the IPv4 address, or v4,v6", value)
	case !all[0].Is4():
		return fmt.Errorf("%s begins with IPv6, and the primary family of the cluster is IPv4: write v4,v6", value)
	case len(all) == 2 && !dualStack:
		return fmt.Errorf("%s has two addresses, and only IPv4 is asked for: write one, or ipFamilies: [IPv4, IPv6]", value)
	case len(all) == 1 && dualStack:
		return fmt.Errorf("%s is one address, and two families are asked for: write v4,v6", value)
	}
	return nil
}

// Parse reads "a" or "a,b" and refuses what cannot be the address of one node. Addresses
// in the IPv6 form of an IPv4 address come as IPv4.
func Parse(value string) ([]netip.Addr, error) {
	if value == "" {
		return nil, errors.New("it is empty: write an address")
	}
	words := strings.Split(value, ",")
	if len(words) > 2 {
		return nil, fmt.Errorf("%q has %d addresses: at most one for each family", value, len(words))
	}
	var all []netip.Addr
	for _, w := range words {
		a, err := parseOne(w)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	if len(all) == 2 && all[0].Is4() == all[1].Is4() {
		return nil, fmt.Errorf("%q has two addresses of one family: write one for each family", value)
	}
	return all, nil
}

func parseOne(word string) (netip.Addr, error) {
	a, err := netip.ParseAddr(word)
	switch {
	case err != nil && strings.TrimSpace(word) != word:
		return a, fmt.Errorf("%q has a blank: write the address alone", word)
	case err != nil && strings.Contains(word, "/"):
		return a, fmt.Errorf("%q has a prefix length: write the address alone", word)
	case err != nil:
		return a, fmt.Errorf("%q is no IP address", word)
	}
	if kind := UnreachableKind(a); kind != "" {
		return a, fmt.Errorf("%s is %s, and names no node that others can reach", word, kind)
	}
	if a.Zone() != "" {
		return a, fmt.Errorf("%s has a zone: write the address alone", word)
	}
	return a.Unmap(), nil
}

// Primary returns the first address of "v4,v6".
func Primary(value string) string {
	first, _, _ := strings.Cut(value, ",")
	return first
}

// Same reports whether two values name the same addresses.
func Same(a, b string) bool {
	x, errA := Parse(a)
	y, errB := Parse(b)
	if errA != nil || errB != nil || len(x) != len(y) {
		return a == b
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}
