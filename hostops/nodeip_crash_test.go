package hostops_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

// crashes runs a command on copies of a host that dies at each of its steps in turn, and
// lets check look at each host once its programs can run again.
func crashes(t *testing.T, h *fake.Host, command func(*hostops.Host) error, check func(h *fake.Host, at int)) {
	t.Helper()
	crashesWith(t, h, hostops.Options{NodeIP: hostops.NodeIPOptions{Address: "192.0.2.77", Move: true}}, command, check)
}

// crashesWith is crashes of a command that was told something.
func crashesWith(t *testing.T, h *fake.Host, o hostops.Options, command func(*hostops.Host) error, check func(h *fake.Host, at int)) {
	t.Helper()
	o.Version, o.Holder = "test", "test"
	for at := 0; ; at++ {
		c := h.Clone()
		c.StopAt(at)
		o.Machine = c.Machine()
		host, err := hostops.Open(t.Context(), o)
		if err == nil {
			err = command(host)
		}
		died := c.Dead()
		if !died && err != nil {
			t.Fatal(err)
		}
		if at%2 == 0 {
			c.PowerCut()
		} else {
			c.Revive()
		}
		check(c, at)
		if !died {
			t.Logf("%d steps", at)
			return
		}
	}
}

// TestACrashNeverSplitsTheNodeIP: whatever step a move dies at, the next run publishes
// what is saved, which is the old address or the new one, and down gives back exactly.
func TestACrashNeverSplitsTheNodeIP(t *testing.T) {
	for _, publish := range []string{"EnvironmentFile", "K3s"} {
		h := wired()
		h.PutFile(nodeEnv, "# mine\n")
		before := h.String()
		h.AddIP("eth0", "192.0.2.77/24")
		section := "nodeIP: {publish: " + publish + "}"
		mustUp(t, h, section, hostops.NodeIPOptions{Address: "192.0.2.10"})
		move := func(host *hostops.Host) error {
			_, err := host.Up(t.Context(), site(t, section), hostops.UpOptions{})
			return err
		}
		crashes(t, h, move, func(c *fake.Host, at int) {
			mustUp(t, c, section, hostops.NodeIPOptions{})
			state, _ := c.File(stateFile)
			file := nodeEnv
			if publish == "K3s" {
				file = k3sFile
			}
			text, _ := c.File(file)
			if moved := strings.Contains(state, "192.0.2.77"); moved != strings.Contains(text, "192.0.2.77") || !moved && !strings.Contains(state, "192.0.2.10") {
				t.Errorf("step %d: saved %s, published %s", at, state, text)
			}
			if _, err := open(t, c).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
				t.Fatal(err)
			}
			if after := withoutBoot(c.String()); after != withoutBoot(before) {
				t.Errorf("step %d: not given back:\n%s\nbefore:\n%s", at, after, before)
			}
		})
	}
}

// withoutBoot leaves out what every boot makes anew.
func withoutBoot(host string) string {
	var kept []string
	for line := range strings.Lines(host) {
		if !strings.HasPrefix(line, "boot ") && !strings.HasPrefix(line, "sysctl kernel/random/boot_id") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// TestACrashWhileGivingBackIsGoneOnWith: a down that died is gone on with by the next one.
func TestACrashWhileGivingBackIsGoneOnWith(t *testing.T) {
	h := wired()
	before := withoutBoot(h.String())
	mustUp(t, h, "nodeIP: {publish: Kubeadm}", hostops.NodeIPOptions{})
	down := func(host *hostops.Host) error {
		_, err := host.Down(t.Context(), hostops.DownOptions{Purge: true})
		return err
	}
	crashes(t, h, down, func(c *fake.Host, at int) {
		if _, err := open(t, c).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
			t.Fatal(err)
		}
		if after := withoutBoot(c.String()); after != before {
			t.Errorf("step %d: not given back:\n%s\nbefore:\n%s", at, after, before)
		}
	})
}

// TestACrashOfTheFirstRunIsGoneOnWith: the address of the next run is saved and published.
func TestACrashOfTheFirstRunIsGoneOnWith(t *testing.T) {
	h := wired()
	h.AddIP("eth0", "192.0.2.77/24")
	before := withoutBoot(h.String())
	first := func(host *hostops.Host) error {
		_, err := host.Up(t.Context(), site(t, "nodeIP: {publish: K3s}"), hostops.UpOptions{})
		return err
	}
	crashes(t, h, first, func(c *fake.Host, at int) {
		mustUp(t, c, "nodeIP: {publish: K3s}", hostops.NodeIPOptions{Address: "192.0.2.77"})
		has(t, c, stateFile, "192.0.2.77")
		has(t, c, k3sFile, "192.0.2.77")
		if _, err := open(t, c).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
			t.Fatal(err)
		}
		if after := withoutBoot(c.String()); after != before {
			t.Errorf("step %d: not given back:\n%s\nbefore:\n%s", at, after, before)
		}
	})
}
