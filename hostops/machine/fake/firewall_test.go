package fake_test

import (
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/contract"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

func TestTheFakeFirewalldKeepsTheContract(t *testing.T) {
	contract.RunFirewall(t, func(*testing.T) contract.FirewallWorld {
		return firewallWorld{fake.New(fake.HasFirewalld("nftables"))}
	})
}

type firewallWorld struct{ *fake.Host }

func (w firewallWorld) StopFirewalld()  { w.SetFirewalld(machine.FirewallStopped) }
func (w firewallWorld) StartFirewalld() { w.SetFirewalld(machine.FirewallRunning) }
