package nodeip

import (
	"fmt"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
)

// The reasons that this package gives.
const (
	Ambiguous item.Reason = "NodeIPAmbiguous"
	NotFound  item.Reason = "NodeIPNotFound"
	Lost      item.Reason = "AddressLost"
	Held      item.Reason = "NodeIPHeld"
	Mismatch  item.Reason = "NodeIPMismatch"
	Differs   item.Reason = "NodeIPProfileDiffers"
	Invalid   item.Reason = "InvalidValue"
	// Unreadable: there is something saved, and nobody knows what it says.
	Unreadable item.Reason = "NodeIPUnreadable"
)

// DetectionError says that the rules choose no address.
type DetectionError struct {
	Reason  item.Reason // Ambiguous or NotFound
	Message string
	// Candidates are all addresses of the host with their verdicts.
	Candidates []Candidate
	// Pending: waiting may help.
	Pending bool
}

func (e *DetectionError) Error() string { return e.Message }

// failure says why a family has no address.
func (c *chooser) failure(v6 bool) *DetectionError {
	var alike []string
	others, global6 := 0, false
	for i := range c.all {
		one := &c.all[i]
		if one.Verdict == Contender && one.v6() == v6 {
			alike = append(alike, one.addr().String()+" on "+one.Link)
		}
		if one.Verdict != Unreachable && one.v6() == v6 {
			others++
		}
		global6 = global6 || one.v6() && one.Verdict != Unreachable
	}
	e := &DetectionError{Reason: NotFound, Pending: true}
	switch family := familyName(v6); {
	case len(alike) > 0:
		e.Reason, e.Pending = Ambiguous, c.fellBack && pending(c.snapshot, v6)
		e.Message = fmt.Sprintf("more than one %s address could be the node's: %s", family, strings.Join(alike, ", "))
	case others > 0 && len(c.wish.Subnets) > 0:
		e.Message = fmt.Sprintf("no %s address of this host is in the subnets and could be the node's", family)
	case others > 0:
		e.Message = fmt.Sprintf("no %s address of this host could be the node's", family)
	case !v6 && global6:
		e.Message = "the primary family of the cluster is IPv4, and this host has IPv6 addresses only"
	default:
		e.Message = fmt.Sprintf("this host has no %s address that other hosts could reach", family)
	}
	return e
}

func familyName(v6 bool) string {
	if v6 {
		return "IPv6"
	}
	return "IPv4"
}
