package testbed_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

const firewalldRoot = "/run/firewalld-root"

func TestFirewalldRunsWithoutSystemd(t *testing.T) {
	if testing.Short() {
		t.Skip("starts firewalld: not with -short")
	}
	if testbed.Reexec(t, testbed.SandboxOptions{Root: firewalldRoot}) {
		return
	}
	for _, backend := range []string{testbed.NFTables, testbed.IPTables} {
		t.Run(backend, func(t *testing.T) {
			f := testbed.StartFirewalld(t, firewalldRoot, backend)
			f.Call("org.fedoraproject.FirewallD1.zone.addInterface", "string:trusted", "string:lxc+")
			rules := f.Output("nft", "list", "ruleset") + f.Output("iptables-save")
			if !strings.Contains(rules, "lxc") {
				t.Errorf("the kernel has no rule:\n%s", rules)
			}
			f.Reload()
			f.Stop()
			f.Start()
		})
	}
}
