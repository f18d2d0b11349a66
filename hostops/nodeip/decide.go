package nodeip

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// Question is all that a decision rests on.
type Question struct {
	Wish Wish
	Flag string // --node-ip
	Move bool   // the flag may replace what is saved
	Env  string // $NODE_IP
	// Saved is what is kept of an earlier run on this machine; nil if nothing is.
	Saved *State
	// Clone: something is kept, and it is another machine's.
	Clone bool
	// Unread is why what is kept cannot be told; nil if it can, or the record knows.
	Unread error
	// Mended is what is wrong with the file of what is kept, which the record knows as well.
	Mended error
	// Node is what a kubelet of this host goes by.
	Node     Running
	Snapshot machine.Snapshot
}

// Running is what is known of a kubelet that runs, or ran, on the host.
type Running struct {
	// Exists: there is or was one.
	Exists bool
	// IP is its address, empty if that cannot be read; From says where it was read.
	IP, From string
}

// Decision is the address of a node, or why there is none.
type Decision struct {
	Choice
	// Links are the interfaces of the addresses, empty for one that is on none.
	Links []string
	// Detection is what the rules make of the host now, whatever was decided.
	Detection Detection
	// Problem is why nothing is decided; nil if something is.
	Problem *Problem
	// Warnings are what a person should know about a decision.
	Warnings []Warning
	// Provisional: waiting may lead to another decision.
	Provisional bool
}

// Problem is why a node has no address.
type Problem struct {
	Reason  item.Reason
	Message string
	Fix     string
	// Refuse: to go on would be wrong, not only incomplete.
	Refuse bool
	// Wait: it may pass by itself.
	Wait bool
}

// Failure makes an item's failure of a problem.
func (p *Problem) Failure() *item.Error {
	return &item.Error{Reason: p.Reason, Message: p.Message, Fix: p.Fix}
}

// Warning is what a person should know.
type Warning struct {
	Reason  item.Reason
	Message string
	Fix     string
}

// Decide answers a question. It is pure.
func Decide(q *Question) Decision {
	var d Decision
	var detectErr error
	d.Detection, detectErr = Detect(&q.Snapshot, &q.Wish)
	if d.Problem = cmp.Or(q.unread(), q.badValue()); d.Problem != nil {
		return d
	}
	if d.Problem = q.unwantedMove(); d.Problem != nil {
		return d
	}
	choice, err := Resolve(q.sources(), func() (string, error) { return d.Detection.String(), detectErr })
	switch {
	case q.Node.Exists && (err != nil || choice.Source == FromDetection):
		d.Problem = neverDetect(&d.Detection)
	case err != nil:
		d.Problem = detectionProblem(err, detectErr)
	default:
		d.Choice = choice
		if choice.Source == FromDetection {
			d.Provisional = d.Detection.Provisional
			for _, note := range d.Detection.Notes {
				d.Warnings = append(d.Warnings, Warning{Message: note})
			}
		}
		q.look(&d)
	}
	return d
}

func (q *Question) sources() Sources {
	s := Sources{Flag: q.Flag, Node: q.Node.IP, Profile: q.Wish.Address, Environment: q.Env}
	if q.Saved != nil {
		s.State = q.Saved.IP
	}
	return s
}

// unread keeps everything as it is: what is saved outranks all else, and any choice could be
// another one. A command line that names an address cannot be followed then.
func (q *Question) unread() *Problem {
	if q.Unread == nil {
		return nil
	}
	return &Problem{
		Reason: Unreadable, Message: q.Unread.Error(), Refuse: q.Flag != "",
		Fix: "name the address that this node has: remove the file, then bootstrap up --node-ip ADDRESS",
	}
}

// badValue refuses a value that would be taken and is no node's address. What is saved
// was checked when it was saved.
func (q *Question) badValue() *Problem {
	s := q.sources()
	for _, v := range []struct{ value, name string }{
		{s.Flag, "--node-ip"}, {s.State, ""}, {s.Node, "the address in " + q.Node.From},
		{s.Profile, "nodeIP.address"}, {s.Environment, "NODE_IP"},
	} {
		if v.value == "" {
			continue
		}
		if err := Check(v.value, q.Wish.DualStack); err != nil && v.name != "" {
			return &Problem{Reason: Invalid, Message: v.name + ": " + err.Error(), Refuse: true}
		}
		return nil // nothing after it counts
	}
	return nil
}

// inForce is the address that others know this node by.
func (q *Question) inForce() string {
	if q.Saved != nil {
		return q.Saved.IP
	}
	return q.Node.IP
}

func (q *Question) unwantedMove() *Problem {
	now := q.inForce()
	if q.Flag == "" || q.Move || now == "" || Same(now, q.Flag) {
		return nil
	}
	what := "the saved address of this node is " + now
	if q.Saved == nil {
		what = "this host is a node by the address " + now + " (" + q.Node.From + ")"
	}
	return &Problem{
		Reason: Held, Refuse: true,
		Message: fmt.Sprintf("%s, and --node-ip says %s: certificates and etcd may name the old one", what, q.Flag),
		Fix:     fmt.Sprintf("keep it: leave --node-ip away; move the node: drain it, then bootstrap up --node-ip %s --move-node-ip", q.Flag),
	}
}

// detectionProblem is the failure of the rules.
func detectionProblem(err, cause error) *Problem {
	p := &Problem{Reason: NotFound, Wait: true}
	if e, ok := errors.AsType[*DetectionError](cause); ok {
		p.Reason, p.Wait = e.Reason, e.Pending
	}
	p.Message, p.Fix = cause.Error(), strings.TrimPrefix(err.Error(), cause.Error()+"; ")
	return p
}

func neverDetect(d *Detection) *Problem {
	p := &Problem{
		Reason: NotFound, Refuse: true,
		Message: "a kubelet has run on this host, and which address it goes by cannot be read: none is chosen by the rules",
		Fix:     "see: kubectl get node -o wide; then name that address: bootstrap up --node-ip ADDRESS",
	}
	if len(d.Addresses) > 0 {
		p.Message += " (they would choose " + d.String() + ")"
	}
	return p
}

// look holds a choice against the host.
func (q *Question) look(d *Decision) {
	addresses, err := Parse(d.IP)
	if err != nil {
		d.Problem = &Problem{Reason: Invalid, Message: "the saved address: " + err.Error(), Refuse: true}
		return
	}
	var missing []string
	for _, a := range addresses {
		link := linkOf(&q.Snapshot, a)
		d.Links = append(d.Links, link)
		if link == "" {
			missing = append(missing, a.String())
		}
	}
	if len(missing) > 0 {
		q.missing(d, strings.Join(missing, " and "))
	}
	if q.Clone {
		d.Warnings = append(d.Warnings, Warning{Message: "an address was saved by another machine, of which this one is a copy: it does not count"})
	}
	if q.Mended != nil {
		d.Warnings = append(d.Warnings, Warning{Message: q.Mended.Error() + "; the record knows the address, and the file is written anew"})
	}
	if d.Problem == nil {
		q.differs(d)
	}
}

func (q *Question) missing(d *Decision, addresses string) {
	message := fmt.Sprintf("%s (%s) is on no interface; %s", addresses, sourceWord(d.Source), present(&d.Detection))
	if q.Wish.Start {
		d.Warnings = append(d.Warnings, Warning{Reason: Lost, Message: message + "; whenAddressMissing is Start, so it is used all the same"})
		d.Provisional = true
		return
	}
	d.Problem = &Problem{Reason: Lost, Message: message, Refuse: true, Wait: true, Fix: "bring the address up, then run it again"}
	if d.Source == FromState || d.Source == FromNode {
		next := "ADDRESS"
		if now := d.Detection.String(); now != "" {
			next = now
		}
		d.Problem.Fix = fmt.Sprintf("keep it: bring the address back; move the node: drain it, then bootstrap up --node-ip %s --move-node-ip "+
			"(on a control plane, certificates and etcd name the old one)", next)
	}
}

func sourceWord(s Source) string {
	switch s {
	case FromState:
		return "the saved address"
	case FromNode:
		return "the address of the kubelet here"
	case FromProfile:
		return "nodeIP.address"
	case FromEnvironment:
		return "NODE_IP"
	default:
		return "--node-ip"
	}
}

// present lists the addresses that other hosts could reach.
func present(d *Detection) string {
	var have []string
	for i := range d.Candidates {
		if c := &d.Candidates[i]; c.Verdict != Unreachable {
			have = append(have, fmt.Sprintf("%s has %s", c.Link, c.addr()))
		}
	}
	if len(have) == 0 {
		return "no interface has an address"
	}
	return strings.Join(have[:min(len(have), 4)], ", ")
}

// differs tells where the profile, or what the rules make of it, is against what is kept.
func (q *Question) differs(d *Decision) {
	if d.Source != FromState && d.Source != FromNode {
		return
	}
	would, who := d.Detection.String(), "detection"
	if q.Wish.Address != "" {
		would, who = q.Wish.Address, "the profile"
	}
	if would == "" || Same(would, d.IP) {
		return
	}
	d.Warnings = append(d.Warnings, Warning{
		Reason:  Differs,
		Message: fmt.Sprintf("%s would choose %s; %s stays, and changes only by a deliberate move", who, would, d.IP),
		Fix:     fmt.Sprintf("to move: bootstrap up --node-ip %s --move-node-ip", would),
	})
}

func linkOf(s *machine.Snapshot, a netip.Addr) string {
	i := slices.IndexFunc(s.Addresses, func(o machine.Address) bool { return o.Prefix.Addr() == a })
	if i < 0 {
		return ""
	}
	l, _ := s.Link(s.Addresses[i].Link)
	return l.Name
}
