package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/report"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/contention"
	"github.com/hostprofile/hostprofile/hostops/firewalld"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

var update = flag.Bool("update", false, "write the golden files anew")

// accepted is a profile of the cluster.
func accepted(t *testing.T, name, spec string) hostops.Accepted {
	t.Helper()
	text := fmt.Sprintf("apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: %s}\nspec: {nodeSelector: {}, %s}\n", name, spec)
	got, err := profile.Load(name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	got[0].Generation = 1
	return hostops.Accepted{UID: "u-" + name, Profile: got[0]}
}

// situation runs the profiles on a host and tells what came of it.
func situation(t *testing.T, h *fake.Host, profiles ...hostops.Accepted) *report.Situation {
	t.Helper()
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: h.Machine(), Version: "test", LockTimeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	s := &report.Situation{Version: "v0.2.0", Facts: host.Facts()}
	s.Facts.BootID, s.Accepted = "boot", profiles
	for _, p := range profiles {
		state := wish.Enforced
		if p.Hold {
			state = wish.Paused
		}
		s.Profiles = append(s.Profiles, wish.Profile{Name: p.Profile.Name, Generation: p.Profile.Generation, State: state})
	}
	s.Run, s.Refused = host.Reconcile(t.Context(), profiles, hostops.ReconcileOptions{})
	if s.Overrides, err = host.Overrides([]v1alpha1.HostProfile{}); err != nil {
		t.Fatal(err)
	}
	return s
}

const good = "sysctls: [{name: vm.swappiness, value: 10}], kernelModules: [{name: br_netfilter}], swap: Disabled"

// stories are situations with a golden file each.
var stories = map[string]func(t *testing.T) *report.Situation{
	"no-profile": func(t *testing.T) *report.Situation { return situation(t, fake.New()) },
	"ready":      func(t *testing.T) *report.Situation { return situation(t, fake.New(), accepted(t, "site", good)) },
	"failing": func(t *testing.T) *report.Situation {
		return situation(t, fake.New(), accepted(t, "site", good+", priority: 1"),
			accepted(t, "bad", "sysctls: [{name: vm.no_such_key, value: 1}, {name: kernel.no_such_key, value: 1, ifMissing: Skip}]"))
	},
	"advisory": func(t *testing.T) *report.Situation {
		h := fake.New()
		h.SetReadOnly("vm/swappiness", true)
		return situation(t, h, accepted(t, "site", "sysctls: [{name: vm.swappiness, value: 10, ifMissing: Skip}]"))
	},
	"conflict": func(t *testing.T) *report.Situation {
		h := fake.New()
		a := accepted(t, "a", "sysctls: [{name: vm.swappiness, value: 10}]")
		situation(t, h, a)
		return situation(t, h, a, accepted(t, "b", "sysctls: [{name: vm.swappiness, value: 20}, {name: vm.max_map_count, value: 262144}]"))
	},
	"contended": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New(), accepted(t, "site", good))
		s.Fights = []contention.Fight{{Key: "sysctl/vm.swappiness", Ours: item.Text("10"), Theirs: item.Text("30"), Period: 30 * time.Minute}}
		return s
	},
	"planned": func(t *testing.T) *report.Situation {
		h := fake.New()
		site := accepted(t, "site", good)
		s := situation(t, h, site)
		s.Profiles = append(s.Profiles, wish.Profile{Name: "tuning", Generation: 3, State: wish.Planned})
		preview(t, h, s, site, accepted(t, "tuning", "priority: 5, sysctls: [{name: vm.swappiness, value: 20}, {name: net.ipv4.ip_forward, value: 1}]"))
		return s
	},
	"paused": func(t *testing.T) *report.Situation {
		h := fake.New()
		site := accepted(t, "site", good)
		situation(t, h, site)
		held := site
		held.Hold = true
		_ = h.SetSysctl("vm/swappiness", "42")
		s := situation(t, h, held)
		preview(t, h, s, accepted(t, "site", "sysctls: [{name: vm.swappiness, value: 20}]"))
		return s
	},
	"not-understood": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New(), accepted(t, "site", good))
		s.Profiles[0].State, s.Profiles[0].Problem = wish.NotUnderstood, `spec: unknown field "firewall"`
		return s
	},
	"releasing": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New(), accepted(t, "site", good))
		s.Profiles[0].State = wish.Releasing
		return s
	},
	"overridden": func(t *testing.T) *report.Situation {
		h := fake.New()
		h.PutFile("/etc/sysctl.d/zzz-site.conf", "# ours\nvm.swappiness = 60\n")
		return situation(t, h, accepted(t, "site", good))
	},
	"disk-full": func(t *testing.T) *report.Situation {
		h := fake.New()
		situation(t, h, accepted(t, "site", good))
		h.FillDisk(true)
		return situation(t, h, accepted(t, "site", "sysctls: [{name: vm.swappiness, value: 20}]"))
	},
	"directories": func(t *testing.T) *report.Situation {
		return situation(t, fake.New(), accepted(t, "site", `directories: [{path: /opt/cni/bin}, {path: /srv/x, mode: "0750"}]`))
	},
	"directories-foreign": func(t *testing.T) *report.Situation {
		h := fake.New()
		h.PutFile("/opt/cni", "")
		return situation(t, h, accepted(t, "site", `directories: [{path: /opt/cni/bin}, {path: /srv/x, mode: "0750"}]`))
	},
	"mounts": func(t *testing.T) *report.Situation {
		return situation(t, fake.New(), accepted(t, "site", "mounts: {bpffs: Mounted, rootPropagation: Shared}"))
	},
	"mounts-foreign": func(t *testing.T) *report.Situation {
		h := fake.New()
		h.SetMounts(append(h.Mounts(), fake.Mount{Path: "/sys/fs/bpf", Filesystem: "tmpfs"})...)
		return situation(t, h, accepted(t, "site", "mounts: {bpffs: Mounted, rootPropagation: Shared}"))
	},
	"selinux": func(t *testing.T) *report.Situation {
		h := fake.New()
		h.SetSELinux(fake.SELinux{Mode: machine.SELinuxEnforcing, Types: []string{"container_file_t"}, Contexts: "/.* u:r:etc_t:s0\n"})
		return situation(t, h, accepted(t, "site", "selinux: Manage"))
	},
	"selinux-missing": func(t *testing.T) *report.Situation {
		h := fake.New()
		h.SetSELinux(fake.SELinux{Mode: machine.SELinuxEnforcing, Contexts: "/.* u:r:etc_t:s0\n"})
		return situation(t, h, accepted(t, "site", "selinux: Manage"))
	},
	"selinux-off": func(t *testing.T) *report.Situation {
		return situation(t, fake.New(), accepted(t, "site", "selinux: Manage"))
	},
	"firewalld-trusted": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New(fake.HasFirewalld("nftables")), accepted(t, "site", trust))
		s.Firewalld = report.Firewalld{Firewalld: daemon(machine.FirewallRunning)}
		return s
	},
	"firewalld-conflict": func(t *testing.T) *report.Situation {
		h := fake.New(fake.HasFirewalld("nftables"))
		h.SetZone(machine.Binding{Name: "cilium_host"}, "internal")
		s := situation(t, h, accepted(t, "site", trust))
		s.Firewalld = report.Firewalld{
			Firewalld: daemon(machine.FirewallRunning), Managed: []firewalld.Managed{{Interface: "cilium_host", Connection: "0b5a"}},
		}
		return s
	},
	"firewalld-masked": func(t *testing.T) *report.Situation {
		h := fake.New(fake.HasFirewalld("nftables"))
		h.SetFirewalld(machine.FirewallMasked)
		s := situation(t, h, accepted(t, "site", trust))
		s.Firewalld = report.Firewalld{Firewalld: daemon(machine.FirewallMasked)}
		return s
	},
	"firewalld-reloaded": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New(fake.HasFirewalld("iptables")), accepted(t, "site", trust))
		s.Firewalld = report.Firewalld{
			Firewalld: daemon(machine.FirewallRunning), Node: "node-17", Reloads: 2, Reloaded: time.Date(2030, 1, 1, 3, 4, 11, 0, time.UTC),
		}
		return s
	},
	"disabled": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New())
		s.Refused = hostops.ErrDisabled
		return s
	},
	"ledger": func(t *testing.T) *report.Situation {
		h := fake.New()
		situation(t, h, accepted(t, "site", good))
		h.PutFile("/var/lib/hostprofile/ledger.json", "garbage")
		return situation(t, h, accepted(t, "site", good))
	},
	"removed": func(t *testing.T) *report.Situation {
		s := situation(t, fake.New())
		s.Removed = true
		return s
	},
}

const trust = `firewalld: {trustedInterfaces: [cilium_host, "lxc+"]}`

func daemon(state machine.FirewallState) machine.Firewalld {
	return machine.Firewalld{State: state, Version: "1.3.3", Backend: "iptables", DefaultZone: "public"}
}

func preview(t *testing.T, h *fake.Host, s *report.Situation, profiles ...hostops.Accepted) {
	t.Helper()
	host, err := hostops.Open(t.Context(), hostops.Options{Machine: h.Machine(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := host.Preview(t.Context(), profiles)
	if err != nil {
		t.Fatal(err)
	}
	s.Preview = &r
}

func TestReports(t *testing.T) {
	for name, tell := range stories {
		t.Run(name, func(t *testing.T) {
			got, err := yaml.Marshal(report.Of(tell(t)))
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", name+".yaml")
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s differs:\n%s", file, got)
			}
		})
	}
}

// Ready and Degraded are derived from one thing, so that they cannot both be true.
func TestReadyIsFalseExactlyWhereTheStateSaysSo(t *testing.T) {
	for name, tell := range stories {
		r := report.Of(tell(t)).Status
		bad := r.State == v1alpha1.NodeDegraded || r.State == v1alpha1.NodeDisabled || r.State == v1alpha1.NodeRemoved
		for _, c := range r.Conditions {
			if c.Type == v1alpha1.ConditionReady && (c.Status == metav1.ConditionFalse) != bad {
				t.Errorf("%s: state %s, Ready %s", name, r.State, c.Status)
			}
		}
	}
}

func TestAllFourNodeConditionsAreThereUnlessWithdrawn(t *testing.T) {
	for name, tell := range stories {
		want := 4
		if name == "removed" {
			want = 0
		}
		if got := len(report.Of(tell(t)).Node); got != want {
			t.Errorf("%s: %d conditions on the Node", name, got)
		}
	}
}

func TestCountsAddUp(t *testing.T) {
	for name, tell := range stories {
		c := report.Of(tell(t)).Status.Items
		if c.Applied+c.Held+c.Skipped+c.Failed+c.Pending != c.Total {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

func TestTheOrderOfConflictingProfilesDoesNotMatter(t *testing.T) {
	a := accepted(t, "a", "sysctls: [{name: vm.swappiness, value: 10}]")
	b := accepted(t, "b", "sysctls: [{name: vm.swappiness, value: 20}]")
	ab, ba := fake.New(), fake.New()
	situation(t, ab, a)
	situation(t, ba, a)
	one, other := situation(t, ab, a, b), situation(t, ba, b, a)
	one.Profiles, other.Profiles = nil, nil
	x, _ := json.Marshal(report.Of(one))
	y, _ := json.Marshal(report.Of(other))
	if !bytes.Equal(x, y) {
		t.Errorf("%s\nand\n%s", x, y)
	}
}

func TestAReportStaysSmallAndCountsWhatItLeavesOut(t *testing.T) {
	s := &report.Situation{Version: "v1"}
	long := strings.Repeat("x", 5000)
	stage := item.StageReport{Stage: "sysctls"}
	for i := range 2000 {
		stage.Results = append(stage.Results, item.Result{
			Key: item.Key(fmt.Sprintf("sysctl/net.ipv4.conf.eth%d.%s", i, long)), Outcome: item.Failed, Required: i%2 == 0,
			Want: item.Text(long), Now: item.Text("é\n" + long), Reason: "InvalidValue", Message: "a\nb\t" + long, Source: item.Source{Profile: "site"},
		})
	}
	s.Run.Report.Stages = []item.StageReport{stage}
	r := report.Of(s).Status
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 12<<10 {
		t.Errorf("%d bytes", len(text))
	}
	if n := len(r.Exceptions); n == 0 || int(r.ExceptionsOmitted)+n != 2000 {
		t.Errorf("%d exceptions, %d omitted", n, r.ExceptionsOmitted)
	}
	for _, e := range r.Exceptions {
		if len(e.Want) > 128 || len(e.Have) > 128 || len(e.Message) > 256 || strings.ContainsAny(e.Message+e.Have, "\n\t") {
			t.Errorf("out of bounds: %+v", e)
		}
		if e.Severity != v1alpha1.SeverityError {
			t.Errorf("%s is told before what is worse", e.Key)
		}
	}
}

func TestTimesAreCarriedWhereTheStatusStays(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	good := report.Of(situation(t, fake.New())).Status
	report.Carry(&good, nil, now)
	again := report.Of(situation(t, fake.New())).Status
	report.Carry(&again, &good, now.Add(time.Hour))
	if !report.Same(&good, &again) {
		t.Error("the same situation gives another report")
	}
	s := situation(t, fake.New())
	s.Refused = errors.New("broken")
	bad := report.Of(s).Status
	report.Carry(&bad, &good, now.Add(time.Hour))
	if c := bad.Conditions[0]; c.Status != metav1.ConditionFalse || !c.LastTransitionTime.Time.Equal(now.Add(time.Hour)) {
		t.Errorf("%+v", c)
	}
}
