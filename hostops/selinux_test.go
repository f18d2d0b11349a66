package hostops_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hostprofile/hostprofile/hostops"
	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/selinux"
)

const (
	manage   = "selinux: Manage"
	programs = "/opt/hostprofile/bin"
)

// secured is a host with SELinux on, and a policy that knows containers if asked for.
func secured(containers bool) *fake.Host {
	h := fake.New()
	s := fake.SELinux{
		Mode: machine.SELinuxEnforcing, Types: []string{"etc_t", "bin_t", "usr_t", "var_lib_t"}, Chosen: []string{"public_t"},
		Contexts: "/.* system_u:object_r:default_t:s0\n/etc(/.*)? system_u:object_r:etc_t:s0\n/run/.* <<none>>\n" +
			"/var/lib(/.*)? system_u:object_r:var_lib_t:s0\n/opt/(.*/)?bin(/.*)? system_u:object_r:bin_t:s0\n",
	}
	if containers {
		s.Types = append(s.Types, "container_file_t")
	}
	h.SetSELinux(s)
	return h
}

func label(typ, categories string) string { return "system_u:object_r:" + typ + ":s0" + categories }

func TestAHostWithSELinuxInOrderIsLeftAsItIs(t *testing.T) {
	h := secured(true)
	up(t, h, "swap: Keep")
	before := h.Mutations()
	r := up(t, h, manage+", swap: Keep")
	for _, k := range []item.Key{selinux.Policy, selinux.Labels} {
		if res := resultOf(t, r, k); res.Outcome != item.Right {
			t.Errorf("%s is %s: %s", k, res.Outcome, res.Message)
		}
	}
	if n := h.Mutations() - before; n != 1 { // the saved input
		t.Errorf("%d changes", n)
	}
}

func TestWhereSELinuxIsOffThereIsNothingToManage(t *testing.T) {
	h := fake.New()
	r := up(t, h, manage+", swap: Keep")
	for _, res := range r.Results() {
		if res.Key.Kind() == item.SELinux {
			t.Errorf("%s is %s", res.Key, res.Outcome)
		}
	}
}

// A new host would join the cluster, and no pod would start there.
func TestANewHostWithoutAPolicyForContainersIsRefused(t *testing.T) {
	h := secured(false)
	before := h.Mutations()
	for range 2 {
		_, err := open(t, h).Up(t.Context(), site(t, manage), hostops.UpOptions{})
		var refused *hostops.RefusedError
		if !errors.As(err, &refused) || refused.Reason != selinux.PolicyMissing || !strings.Contains(refused.Fix, "container-selinux") {
			t.Fatalf("error %v", err)
		}
	}
	if n := h.Mutations() - before; n > 0 {
		t.Errorf("%d changes", n)
	}
	r, err := open(t, h).Plan(t.Context(), site(t, manage))
	if res := resultOf(t, r, selinux.Policy); err != nil || res.OK() || !res.Required {
		t.Errorf("the plan says %+v, %v", res, err)
	}
	up(t, h, "selinux: Keep")
	if res := resultOf(t, up(t, h, manage), selinux.Policy); res.OK() || res.Required || res.Reason != selinux.PolicyMissing {
		t.Errorf("on a host that was prepared before: %+v", res)
	}
}

func TestALabelThatSomebodyChangedComesBackAlone(t *testing.T) {
	h := secured(true)
	up(t, h, manage+", "+swappiness)
	const foreign = "/var/lib/hostprofile/pods"
	h.PutFile(foreign, "")
	h.SetLabel(foreign, label("container_file_t", ":c1,c2"))
	h.SetLabel("/etc/sysctl.d", label("usr_t", ""))
	h.SetLabel(paths.SysctlDropIn, label("bin_t", ":c3"))
	h.SetLabel(paths.ModulesLoad, label("public_t", ""))
	res := resultOf(t, up(t, h, manage+", "+swappiness), selinux.Labels)
	if !strings.HasSuffix(res.Have.Text(), "on "+paths.SysctlDropIn) || res.Outcome != item.Changed {
		t.Errorf("found %s, and it is %s", res.Have, res.Outcome)
	}
	for path, want := range map[string]string{
		foreign: label("container_file_t", ":c1,c2"), "/etc/sysctl.d": label("usr_t", ""), paths.SysctlDropIn: label("etc_t", ":c3"), paths.ModulesLoad: label("public_t", ""),
	} {
		if got := h.FileLabel(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	before := h.Mutations()
	up(t, h, manage+", "+swappiness)
	if n := h.Mutations() - before; n > 0 {
		t.Errorf("the next run changes %d things", n)
	}
}

func TestTheTypeOfProgramsIsRegisteredWhereAnotherIsNamedAndGivenBack(t *testing.T) {
	h := secured(true)
	h.PutDir(programs, 0o755)
	if r := up(t, h, manage); len(stage(t, r, "SELinux")) != 2 {
		t.Errorf("registered although the policy knows it: %+v", r)
	}
	down(t, h)
	h.NameType("/opt/hostprofile(/.*)?", "usr_t") // by the admin
	h.NameType("/opt/hostprofile/bin(/.*)?", "etc_t")
	before := h.Clone()
	for range 2 {
		if res := resultOf(t, up(t, h, manage), selinux.Context(programs)); !res.OK() || res.Required {
			t.Errorf("it is %+v", res)
		}
		if typ, err := h.Machine().SELinux.TypeFor(programs+"/bootstrap", false); typ != "bin_t" || err != nil {
			t.Errorf("programs are %s, %v", typ, err)
		}
	}
	if _, err := open(t, h).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, before).Down(t.Context(), hostops.DownOptions{Purge: true}); err != nil {
		t.Fatal(err)
	}
	if got, want := h.String(), before.String(); got != want {
		t.Errorf("after down:\n%s\nbefore up:\n%s", got, want)
	}
}

func TestTheFolderThatIsNamedForTheProgramIsRegisteredBeforeItIsThere(t *testing.T) {
	h := secured(true)
	const named = "/srv/site.d/tools"
	install, dir := true, named
	o := hostops.Options{Machine: h.Machine(), Version: "test", Holder: "test", LockTimeout: time.Second,
		Unit: hostops.UnitOptions{Install: &install, ProgramDir: &dir}}
	host, err := hostops.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := host.Up(t.Context(), site(t, manage), hostops.UpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if res := resultOf(t, r, selinux.Context(named)); !res.OK() {
		t.Errorf("it is %+v", res)
	}
	if typ, err := h.Machine().SELinux.TypeFor(named+"/bootstrap", false); typ != "bin_t" || err != nil {
		t.Errorf("the program is %s, %v", typ, err)
	}
	if typ, err := h.Machine().SELinux.TypeFor("/srv/siteXd/tools/bootstrap", false); typ == "bin_t" || err != nil {
		t.Errorf("another folder's are %s, %v", typ, err)
	}
}

func TestWithoutSemanageTheCommandIsTold(t *testing.T) {
	h := secured(true)
	h.PutDir(programs, 0o755)
	h.NameType("/opt/hostprofile(/.*)?", "usr_t")
	h.SetSELinux(fake.SELinux{Mode: machine.SELinuxPermissive, Types: []string{"container_file_t"}, NoTool: true, Contexts: "/.* u:r:usr_t:s0\n"})
	res := resultOf(t, up(t, h, manage), selinux.Context(programs))
	if res.OK() || res.Required || res.Reason != selinux.ToolMissing || !strings.Contains(res.Fix, "semanage fcontext -a -t bin_t '/opt/hostprofile/bin(/.*)?'") {
		t.Errorf("it is %+v", res)
	}
}

func TestCheckSpeaksOfSELinux(t *testing.T) {
	for name, c := range map[string]struct {
		host    *fake.Host
		spec    string
		outcome hostops.CheckOutcome
		stops   bool
		says    string
	}{
		"off":              {fake.New(), manage, "", false, ""},
		"not managed":      {secured(true), "swap: Keep", hostops.CheckInfo, false, "no profile manages it"},
		"in order":         {secured(true), manage, hostops.CheckOK, false, "SELinux is enforcing, and its policy knows containers"},
		"without a policy": {secured(false), manage, hostops.CheckFail, true, "container_file_t"},
	} {
		t.Run(name, func(t *testing.T) {
			results, err := open(t, c.host).Check(t.Context(), site(t, c.spec))
			if err != nil {
				t.Fatal(err)
			}
			var last hostops.CheckResult
			for _, r := range results {
				if strings.HasPrefix(r.ID, "selinux") {
					last = r
				}
			}
			if last.Outcome != c.outcome || last.Stops() != c.stops || !strings.Contains(last.Message, c.says) {
				t.Errorf("%+v", last)
			}
		})
	}
}

func stage(t *testing.T, r item.Report, name string) []item.Result {
	t.Helper()
	for _, s := range r.Stages {
		if s.Stage == name {
			return s.Results
		}
	}
	t.Fatalf("no stage %s", name)
	return nil
}
