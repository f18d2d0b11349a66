package hostops

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
)

// checkFirewalld says what firewalld is, and what of it keeps a node or its pods from
// being reached.
func (p *prospect) checkFirewalld(ctx context.Context) []CheckResult {
	trusted := firewalld.TrustedNames(p.want)
	if len(trusted) == 0 && !p.kubernetes {
		return nil
	}
	d, err := p.machine.Firewall.Look(ctx)
	if err != nil {
		return []CheckResult{{ID: firewalldID, Outcome: CheckWarn, Message: err.Error(), Fix: "systemctl status dbus firewalld"}}
	}
	if d.State == machine.FirewallAbsent && len(trusted) == 0 {
		return nil
	}
	out := []CheckResult{describeFirewalld(&d)}
	if d.State == machine.FirewallAbsent || d.State == machine.FirewallMasked {
		return out
	}
	zones, err := p.machine.Firewall.Zones(ctx)
	uplinks, linkErr := firewalld.Uplinks(ctx, p.machine)
	if err = cmp.Or(err, linkErr); err != nil {
		return append(out, CheckResult{ID: firewalldID, Outcome: CheckWarn, Message: err.Error()})
	}
	out = append(out, p.checkBindings()...)
	out = append(out, p.checkShadowed(zones, trusted)...)
	out = append(out, p.checkManaged()...)
	out = append(out, checkSources(zones)...)
	nics := nicZones(uplinks, zones, d.DefaultZone)
	if p.kubernetes {
		out = append(out, checkPorts(nics)...)
	}
	return append(out, p.checkForwarding(&d, nics, trusted)...)
}

const firewalldID = "firewalld"

func describeFirewalld(d *machine.Firewalld) CheckResult {
	r := CheckResult{ID: firewalldID, Outcome: CheckOK}
	switch d.State {
	case machine.FirewallAbsent:
		r.Message, r.Reason = "firewalld is not installed", firewalld.NotInstalled
	case machine.FirewallMasked:
		r.Message, r.Reason = "firewalld is masked, and is left so", firewalld.Masked
	case machine.FirewallStopped:
		r.Message, r.Reason = fmt.Sprintf("firewalld is stopped (%s); 'up' changes its files for its next start", d.Backend), firewalld.NotRunning
	default:
		r.Message = fmt.Sprintf("firewalld %s (%s), default zone %s; whoever reloads it takes rules of the CNI in iptables away",
			d.Version, d.Backend, d.DefaultZone)
	}
	return r
}

// checkBindings tells the bindings that 'up' would not make, and how many it would.
func (p *prospect) checkBindings() []CheckResult {
	var out []CheckResult
	missing := 0
	for _, r := range p.report.Results() {
		switch {
		case r.Key.Kind() != item.Firewalld || firewalld.IsZoneFile(r.Key):
		case !r.OK():
			out = append(out, CheckResult{ID: firewalldID, Outcome: CheckWarn, Reason: r.Reason, Message: r.Message, Fix: r.Fix})
		case r.Outcome == item.Changed:
			missing++
		}
	}
	if missing > 0 {
		out = append(out, CheckResult{
			ID: firewalldID, Outcome: CheckWarn, MendedByUp: true,
			Message: fmt.Sprintf("%d bindings are missing: until then names do not resolve in pods, and TCP ends with 'no route to host', while ping works", missing),
			Fix:     "'up' makes them",
		})
	}
	return out
}

// checkShadowed tells interfaces that a wildcard means and that are bound to another zone
// by their own name, which wins.
func (p *prospect) checkShadowed(zones []machine.Zone, trusted []string) []CheckResult {
	var out []CheckResult
	for _, z := range zones {
		for _, name := range z.Interfaces {
			if z.Name == firewalld.Trusted || p.untrusts(name) || !firewalld.Shadows(name, trusted) {
				continue
			}
			out = append(out, CheckResult{
				ID: firewalldID, Outcome: CheckWarn, Reason: firewalld.ZoneConflict,
				Message: fmt.Sprintf("%s is in zone %s by its own name, which wins over the wildcard that trusts it", name, z.Name),
				Fix:     "firewall-cmd --zone=" + firewalld.Trusted + " --change-interface=" + name,
			})
		}
	}
	return out
}

// untrusts reports whether an interface is wished to be out of the zone trusted.
func (p *prospect) untrusts(name string) bool {
	return p.wishes(firewalld.Keys(firewalld.Default, name)[0])
}

func (p *prospect) checkManaged() []CheckResult {
	var out []CheckResult
	for _, m := range p.managed(p.want) {
		out = append(out, CheckResult{
			ID: firewalldID, Outcome: CheckWarn, Reason: firewalld.ManagedByNetworkManager, Message: m.Message(), Fix: m.Fix(),
		})
	}
	return out
}

// checkSources tells the sources that others trust.
func checkSources(zones []machine.Zone) []CheckResult {
	var out []CheckResult
	for _, z := range zones {
		if z.Target != "ACCEPT" {
			continue
		}
		for _, s := range z.Sources {
			remove := fmt.Sprintf("firewall-cmd --zone=%s --remove-source=%s", z.Name, s)
			out = append(out, CheckResult{
				ID: firewalldID, Outcome: CheckWarn, Fix: remove + "; " + strings.Replace(remove, "--zone", "--permanent --zone", 1),
				Message: fmt.Sprintf("zone %s trusts the source %s, which anybody on the network can write into a packet", z.Name, s),
			})
		}
	}
	return out
}

// nicZone is the zone of an interface that leads out of the host.
type nicZone struct {
	nic  string
	zone machine.Zone
}

func nicZones(nics []string, zones []machine.Zone, standard string) []nicZone {
	var out []nicZone
	for _, nic := range nics {
		i := slices.IndexFunc(zones, func(z machine.Zone) bool { return slices.Contains(z.Interfaces, nic) })
		if i < 0 {
			i = slices.IndexFunc(zones, func(z machine.Zone) bool { return z.Name == standard })
		}
		if i >= 0 {
			out = append(out, nicZone{nic, zones[i]})
		}
	}
	return out
}

// checkPorts tells for each zone that leads out which of the ports that a node needs are
// open. Those of the control plane are told and not missed: this may be a worker.
func checkPorts(nics []nicZone) []CheckResult {
	var out []CheckResult
	for i := range nics {
		n := &nics[i]
		for _, port := range firewalld.NodePorts() {
			r := CheckResult{ID: firewalldID, Outcome: CheckOK}
			state := "open"
			if !firewalld.Opens(&n.zone, port.Spelled) {
				state, r.Outcome = "closed", CheckWarn
				add := fmt.Sprintf("firewall-cmd --zone=%s --add-port=%s", n.zone.Name, port.Spelled)
				r.Fix = add + "; " + strings.Replace(add, "--zone", "--permanent --zone", 1)
			}
			if port.ControlPlane {
				r.Outcome = CheckInfo
			}
			r.Message = fmt.Sprintf("zone %s (%s): %s %s (%s)", n.zone.Name, n.nic, port.Spelled, state, port.Use)
			out = append(out, r)
		}
	}
	return out
}

// checkForwarding: with the nftables backend a packet that comes in on the NIC is judged
// by the NIC's zone, wherever it goes. Tunnelled packets come in on the tunnel's
// interface.
func (p *prospect) checkForwarding(d *machine.Firewalld, nics []nicZone, trusted []string) []CheckResult {
	if d.Backend != "nftables" || len(trusted) == 0 || p.hasLink("cilium_vxlan") || p.hasLink("cilium_geneve") {
		return nil
	}
	outcome := CheckInfo
	if p.hasLink("cilium_host") {
		outcome = CheckWarn
	}
	var out []CheckResult
	for i := range nics {
		n := &nics[i]
		if n.zone.Target == "ACCEPT" {
			continue
		}
		out = append(out, CheckResult{
			ID: firewalldID, Outcome: outcome, Reason: firewalld.ForwardFromNicZone,
			Message: fmt.Sprintf("with native routing, packets of other nodes for pods come in on %s, and zone %s rejects them; with a tunnel they pass", n.nic, n.zone.Name),
			Fix:     "let Cilium use a tunnel, or let a policy of firewalld pass the pods' addresses from that zone",
		})
	}
	return out
}

func (p *prospect) hasLink(name string) bool {
	_, err := p.machine.Network.LinkIndex(name)
	return err == nil
}
