package machine

import (
	"context"
	"errors"
	"fmt"
)

// Firewall is the host's firewalld. Nothing here starts, stops or reloads it. A call
// that firewalld has to answer takes five seconds at most.
type Firewall interface {
	// Look says what there is of firewalld. A message bus that does not answer, or a
	// firewalld whose name somebody else holds (ErrImpostor), is an error; so is one that
	// went away (ErrWentAway, ErrBusWentAway).
	Look(ctx context.Context) (Firewalld, error)
	// ZoneOf returns the zone that an interface or source is bound to by this very
	// name, empty if to none. One that files bind to several zones has their names,
	// separated by blanks. Of a firewalld that does not run, nothing is bound at run time.
	ZoneOf(ctx context.Context, b Binding) (string, error)
	// Bound returns all that is bound, each with its zone: what ZoneOf tells of one, with a
	// single question for what runs, and from the files for what is permanent. A file that
	// cannot be read is an error, and ZoneOf may still know: firewalld passes it over.
	Bound(ctx context.Context) (map[Binding]string, error)
	// Bind binds an interface or source to a zone. One that is bound to it already is no
	// error; one that is bound to another zone is ErrZoneConflict, and stays there. An
	// unknown zone is fs.ErrNotExist. The permanent files of a firewalld that does not
	// run are edited by its own tool; at run time that is ErrNotRunning.
	Bind(ctx context.Context, zone string, b Binding) error
	// Unbind takes an interface or source out of a zone. One that is not bound is no
	// error; one that is bound to another zone is ErrZoneConflict.
	Unbind(ctx context.Context, zone string, b Binding) error
	// DropZoneFile makes a zone that firewalld brings along what it was delivered as, in
	// the files. firewalld keeps a copy of what it drops, with the ending ".old".
	DropZoneFile(ctx context.Context, zone string) error
	// Zones returns the zones that something is bound to, and the default zone, as they
	// are at run time, or as the files say if firewalld does not run.
	Zones(ctx context.Context) ([]Zone, error)
	// ZoneTarget returns the Target of one zone, as it is at run time, or as the files say
	// if firewalld does not run. An unknown zone is fs.ErrNotExist.
	ZoneTarget(ctx context.Context, zone string) (string, error)
	// FirewallEvents tells what happens to firewalld from now on, until ctx ends and the
	// channel is closed; it is closed as well when the message bus goes away. Events
	// that nobody takes in time are left out.
	FirewallEvents(ctx context.Context) (<-chan FirewallEvent, error)
}

// FirewallState says whether firewalld is there.
type FirewallState string

// The states of firewalld. One that runs although its unit is masked is Running.
const (
	FirewallAbsent  FirewallState = "NotInstalled"
	FirewallStopped FirewallState = "NotRunning"
	FirewallMasked  FirewallState = "Masked"
	FirewallRunning FirewallState = "Running"
)

// Firewalld is what there is of it. Only State is known of one that is absent.
type Firewalld struct {
	State       FirewallState
	Version     string // known while it runs
	Backend     string // "nftables" or "iptables", as its configuration says
	DefaultZone string
}

// Binding is an interface or a source in one of firewalld's two configurations.
type Binding struct {
	// Permanent: in the files, and not in what runs.
	Permanent bool
	// Source: Name is an address or a range, and not an interface. A wildcard is an
	// interface's name that ends in "+".
	Source bool
	Name   string
}

// Zone is what one zone lets in.
type Zone struct {
	Name string
	// Target is what becomes of all else: "default", "ACCEPT", "DROP" or "%%REJECT%%".
	Target     string
	Interfaces []string
	Sources    []string
	Services   []string
	// Ports are those of the zone and of its services, such as "8472/udp" and "30000-32767/tcp".
	Ports []string
}

// FirewallEvent is something that happened to firewalld.
type FirewallEvent string

// What can happen to firewalld.
const (
	FirewallReloaded FirewallEvent = "reloaded"
	FirewallStarted  FirewallEvent = "started"
	FirewallEnded    FirewallEvent = "ended"
	FirewallChanged  FirewallEvent = "changed" // a binding, or the default zone
)

// The errors that callers tell apart.
var (
	// ErrZoneConflict: the interface or source is bound to another zone.
	ErrZoneConflict = errors.New("bound to another zone")
	// ErrNotRunning: firewalld does not run.
	ErrNotRunning = errors.New("firewalld does not run")
	// ErrWentAway: firewalld ended while it was asked, as in a restart.
	ErrWentAway = errors.New("went away while it was asked")
	// ErrBusWentAway: the message bus ended while it was asked, or since it was asked
	// last. It is ErrWentAway too.
	ErrBusWentAway = fmt.Errorf("the message bus %w", ErrWentAway)
	// ErrImpostor: whoever holds firewalld's name on the message bus is not root.
	ErrImpostor = errors.New("not owned by root")
)
