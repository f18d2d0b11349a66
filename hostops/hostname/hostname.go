package hostname

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// The reasons that this package gives.
const (
	Missing item.Reason = "HostnameMissing"
	Invalid item.Reason = "HostnameInvalid"
)

// The longest label and name of RFC 1123, in bytes.
const (
	maxLabel = 63
	maxName  = 253
)

// placeholders are the names of hosts that have none yet. Every host has them.
var placeholders = []string{"", "(none)", "localhost", "localhost.localdomain"}

// IsPlaceholder reports whether a host of this name has not been given one yet, as in the
// first seconds of a boot on a network with DHCP.
func IsPlaceholder(raw string) bool {
	return slices.Contains(placeholders, strings.ToLower(strings.TrimSpace(raw)))
}

// Canonical returns the name of a node on a host that calls itself raw: the same in lower
// case, as kubelets register it. What is no name by RFC 1123 is an *item.Error with the
// reason Invalid, and nothing is made of it: two hosts could become one.
func Canonical(raw string) (string, error) {
	if IsPlaceholder(raw) {
		return "", missing(raw)
	}
	name := strings.ToLower(raw)
	if problem := problemOf(name); problem != "" {
		return "", invalid(raw, problem)
	}
	return name, nil
}

// problemOf says what is wrong with a name in lower case, or nothing.
func problemOf(name string) string {
	if len(name) > maxName {
		return fmt.Sprintf("has %d characters, and a name has at most %d", len(name), maxName)
	}
	for label := range strings.SplitSeq(name, ".") {
		switch {
		case label == "":
			return "has an empty part between dots"
		case len(label) > maxLabel:
			return fmt.Sprintf("has a part of %d characters, and a part has at most %d", len(label), maxLabel)
		case strings.Trim(label, allowed) != "":
			return "consists of more than letters, digits, dashes and dots"
		case label[0] == '-' || label[len(label)-1] == '-':
			return "has a part that begins or ends with a dash"
		}
	}
	return ""
}

const allowed = "abcdefghijklmnopqrstuvwxyz0123456789-"

// Proposal returns a name that is like raw and could be a node's; empty if there is none.
func Proposal(raw string) string {
	var labels []string
	for label := range strings.SplitSeq(strings.ToLower(raw), ".") {
		label = strings.Trim(strings.Map(dashed, label), "-")
		if label = strings.TrimRight(label[:min(len(label), maxLabel)], "-"); label != "" {
			labels = append(labels, label)
		}
	}
	name := strings.Join(labels, ".")
	if IsPlaceholder(name) || problemOf(name) != "" {
		return ""
	}
	return name
}

// dashed puts a dash in the place of what a name must not have.
func dashed(r rune) rune {
	if r < 0x80 && strings.ContainsRune(allowed, r) {
		return r
	}
	return '-'
}

func invalid(raw, problem string) error {
	name := Proposal(raw)
	if name == "" {
		name = "NAME"
	}
	return &item.Error{
		Reason: Invalid, Final: true,
		Message: fmt.Sprintf("the host name %.300q %s, so that no kubelet can register it", raw, problem),
		Fix:     fmt.Sprintf("hostnamectl set-hostname %s, before the host joins; or give the kubelet --hostname-override=%s", name, name),
	}
}

func missing(raw string) error {
	return &item.Error{
		Reason:  Missing,
		Message: fmt.Sprintf("this host has no name of its own yet: it calls itself %q, as every host does at first", raw),
		Fix:     "hostnamectl set-hostname NAME; or let DHCP or cloud-init give it one before the kubelet starts",
	}
}
