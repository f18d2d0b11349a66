package nodeip

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// Key is the one item of this package: the address that is kept for this host.
const Key item.Key = "nodeip/addresses"

// SectionKey is what a profile says of the address, as one wish as a whole: no item has
// it, because which address that is gets decided on the host.
const SectionKey item.Key = "nodeip/section"

// Publish says through which file the kubelet learns the address.
type Publish string

// The ways to publish.
const (
	EnvironmentFile Publish = "EnvironmentFile"
	Kubeadm         Publish = "Kubeadm"
	K3s             Publish = "K3s"
	RKE2            Publish = "RKE2"
	Nowhere         Publish = "None"
)

// DefaultWait is how long an address is waited for where no profile says.
const DefaultWait = 30 * time.Second

// Wish is what a profile says of the address of a node.
type Wish struct {
	// DualStack: an IPv6 address, too.
	DualStack bool `json:"dualStack,omitempty"`
	// Subnets, if any, are where the addresses must be.
	Subnets []netip.Prefix `json:"subnets,omitempty"`
	// Exclude are addresses that are not the node's: all at once, before any choice.
	Exclude []netip.Prefix `json:"exclude,omitempty"`
	// Address is "v4" or "v4,v6"; empty if it is to be detected.
	Address string `json:"address,omitempty"`
	// Start: an address that is on no interface after the wait will do.
	Start bool `json:"start,omitempty"`
	// Seconds is how long to wait for an address.
	Seconds int     `json:"seconds,omitempty"`
	Publish Publish `json:"publish"`
}

// Wait is how long to wait for an address.
func (w *Wish) Wait() time.Duration { return time.Duration(w.Seconds) * time.Second }

// State returns the wish as the state of an item: two profiles agree exactly if these
// are equal. The order of subnets and exclusions means nothing.
func (w *Wish) State() item.State {
	c := *w
	c.Subnets, c.Exclude = sorted(w.Subnets), sorted(w.Exclude)
	text, err := json.Marshal(c)
	if err != nil {
		return item.Unknown
	}
	return item.Text(string(text))
}

// String is the wish in words.
func (w Wish) String() string {
	words := []string{"IPv4"}
	if w.DualStack {
		words[0] = "IPv4 and IPv6"
	}
	if w.Address != "" {
		words[0] = w.Address
	}
	if len(w.Subnets) > 0 {
		words = append(words, "in "+list(w.Subnets))
	}
	if len(w.Exclude) > 0 {
		words = append(words, "without "+list(w.Exclude))
	}
	if w.Start {
		words = append(words, "missing or not")
	}
	return fmt.Sprintf("%s, after %d s, published by %s", strings.Join(words, " "), w.Seconds, w.Publish)
}

func list(prefixes []netip.Prefix) string {
	words := make([]string, len(prefixes))
	for i, p := range prefixes {
		words[i] = p.String()
	}
	return strings.Join(words, ", ")
}

// WishOf reads what State returned.
func WishOf(s item.State) (Wish, error) {
	var w Wish
	if err := json.Unmarshal([]byte(s.Text()), &w); err != nil {
		return w, fmt.Errorf("%.40q is no wish for the address of a node", s)
	}
	return w, nil
}

func sorted(prefixes []netip.Prefix) []netip.Prefix {
	prefixes = slices.Clone(prefixes)
	slices.SortFunc(prefixes, netip.Prefix.Compare)
	return slices.Compact(prefixes)
}

// within reports whether one of the prefixes contains the address.
func within(prefixes []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(prefixes, func(p netip.Prefix) bool { return p.Contains(a) })
}

// ParsePrefix reads a network, or an address as the network of it alone.
func ParsePrefix(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return p, fmt.Errorf("%q is neither an address nor a network such as 192.0.2.0/24", text)
	}
	return p, nil
}
