package command_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const site = `apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  name: site-workers
spec:
  nodeSelector: {}
  priority: 100
  sysctls:
    - name: net.core.somaxconn
      value: 65535
    - name: vm.max_map_count
      value: 262144
      compare: AtLeast
    - name: net.ipv4.tcp_rmem
      value: "4096 87380 6291456"
    - name: net.netfilter.nf_conntrack_max
      value: 262144
      ifMissing: Skip
`

// node is a host with pods on it and swap, before anything of ours.
func node(t *testing.T) (*world, []string) {
	t.Helper()
	w := newWorld(t, fake.Link("lxc1"), fake.Link("lxc2"), fake.Link("lxc3"))
	for _, link := range []string{"lxc1", "lxc2", "lxc3"} {
		if err := w.host.SetSysctl("net/ipv4/conf/"+link+"/rp_filter", "2"); err != nil {
			t.Fatal(err)
		}
	}
	w.host.PutFile("/etc/fstab", "/dev/sda1 / ext4 defaults 0 1\n/dev/sda2 none swap sw 0 0\n")
	w.host.AddSwap(fake.Swap{Path: "/dev/sda2", Size: 2 << 30, Priority: -2})
	return w, []string{"--profile", "kubernetes", "--profile", "cilium", "-f", w.file("site.yaml", site)}
}

func with(command string, flags ...string) []string { return append([]string{command}, flags...) }

func TestPlanShowsWhatUpWouldDo(t *testing.T) {
	w, flags := node(t)
	w.host.KeepLog()
	golden(t, "plan.txt", w.must(0, with("plan", flags...)...))
	golden(t, "plan.json", w.must(0, with("plan", append(flags, "-o", "json")...)...))
	golden(t, "plan-verbose.txt", w.must(0, with("plan", append(flags, "-v")...)...))
	if log := w.host.Log(); len(log) > 0 {
		t.Errorf("plan changed the host: %v", log)
	}
}

func TestUpSaysWhatItChanged(t *testing.T) {
	w, flags := node(t)
	golden(t, "up.txt", w.must(0, with("up", flags...)...))
	w, flags = node(t)
	golden(t, "up.json", w.must(0, with("up", append(flags, "-o", "json")...)...))
}

func TestASecondUpHasNothingToDo(t *testing.T) {
	w, flags := node(t)
	w.must(0, with("up", flags...)...)
	before := w.host.Mutations()
	golden(t, "up-again.txt", w.must(0, with("up", flags...)...))
	golden(t, "up-again.json", w.must(0, with("up", append(flags, "-o", "json")...)...))
	golden(t, "up-again.txt", w.must(0, "up")) // with what was applied last
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d writes", n)
	}
}

func TestTheOrderOfTheFlagsMeansNothing(t *testing.T) {
	w, flags := node(t)
	w.must(0, with("up", flags...)...)
	before := w.host.Mutations()
	w.must(0, "up", "-f", flags[5], "--profile", "cilium", "--profile", "kubernetes")
	if n := w.host.Mutations() - before; n > 0 {
		t.Errorf("%d writes", n)
	}
}

func TestUpRepairsAndGivesBack(t *testing.T) {
	w, flags := node(t)
	w.must(0, with("up", flags...)...)
	_ = w.host.SetSysctl("net/ipv4/ip_forward", "0")
	golden(t, "status-drift.txt", w.must(1, "status"))
	golden(t, "status-drift.json", w.must(1, "status", "-o", "json"))
	golden(t, "up-repair.txt", w.must(0, "up", "--profile", "kubernetes", "--profile", "cilium"))
}

func TestStatusSaysWhatHolds(t *testing.T) {
	w, flags := node(t)
	golden(t, "status-none.txt", w.must(3, "status"))
	golden(t, "status-none.json", w.must(3, "status", "-o", "json"))
	w.must(0, with("up", flags...)...)
	golden(t, "status.txt", w.must(0, "status"))
	golden(t, "status.json", w.must(0, "status", "-o", "json"))
	golden(t, "status.yaml", w.must(0, "status", "-o", "yaml"))
	golden(t, "status-verbose.txt", w.must(0, "status", "-v"))
}

func TestDownGivesBackAndVerifies(t *testing.T) {
	w, flags := node(t)
	w.must(0, with("up", flags...)...)
	_ = w.host.SetSysctl("net/core/somaxconn", "1024") // by somebody else
	golden(t, "down-dry-run.txt", w.must(0, "down", "--dry-run"))
	golden(t, "down-dry-run.json", w.must(0, "down", "--dry-run", "-o", "json"))
	golden(t, "down.txt", w.must(0, "down", "--yes"))
	golden(t, "down-again.txt", w.must(0, "down", "--yes"))
	golden(t, "status-down.txt", w.must(3, "status"))
	if v, _ := w.host.Sysctl("net/core/somaxconn"); v != "1024" {
		t.Errorf("somebody's somaxconn became %s", v)
	}
	if v, _ := w.host.Sysctl("net/ipv4/ip_forward"); v != "0" {
		t.Errorf("ip_forward is %s", v)
	}
}

// forty is a profile of 40 keys, of which one does not exist.
func forty() string {
	var b strings.Builder
	b.WriteString("apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: forty}\nspec:\n  nodeSelector: {}\n  sysctls:\n")
	for i := range 39 {
		b.WriteString("    - {name: " + key(i) + ", value: 1}\n")
	}
	b.WriteString("    - {name: net.core.no_such_key, value: 1}\n")
	return b.String()
}

func key(i int) string { return "net.core.key" + string(rune('a'+i/26)) + string(rune('a'+i%26)) }

func TestOneMissingKeyOfFortyDoesNotStopTheOthers(t *testing.T) {
	options := []fake.Option{fake.Bare()}
	for i := range 39 {
		options = append(options, fake.Sysctl(strings.ReplaceAll(key(i), ".", "/"), "0"))
	}
	w := newWorld(t, options...)
	file := w.file("forty.yaml", forty())
	golden(t, "missing-plan.txt", w.must(0, "plan", "-f", file, "-q"))
	w.must(1, "plan", "-f", file, "--exit-code")
	golden(t, "missing.txt", w.must(1, "up", "-f", file))
	for i := range 39 {
		if v, _ := w.host.Sysctl(strings.ReplaceAll(key(i), ".", "/")); v != "1" {
			t.Errorf("%s is %s", key(i), v)
		}
	}
	golden(t, "missing-again.txt", w.must(1, "up", "-f", file))
	doc := w.must(1, "up", "-f", file, "-o", "json").document(t)
	errs := doc["errors"].([]any)
	if len(errs) != 1 || errs[0].(map[string]any)["reason"] != "KeyNotFound" {
		t.Errorf("errors %v", errs)
	}
}
