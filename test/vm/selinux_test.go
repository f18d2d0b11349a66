package vm_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/test/testbed"
)

// TestSELinux tells of a host on which SELinux is on and permissive: what enforcing would
// forbid is done, and recorded by the kernel. Its policy is Debian's, which is not that of
// Red Hat's systems, and knows nothing of containers until the story adds that.
func TestSELinux(t *testing.T) {
	n := start(t, testbed.VMOptions{Kind: testbed.SELinuxKind})
	if got := n.sh("getenforce"); got != "Permissive" {
		t.Fatalf("SELinux is %s", got)
	}
	n.sh("sysctl -q kernel.printk_ratelimit=0") // so that no denial is left out
	n.story("what is forbidden is recorded", denialsAreSeen)
	n.story("the machine keeps the contract", selinuxContract)
	n.story("a new host without a policy for containers is refused", noPolicy)
	n.story("what is written has the label of its path, a hundred times", labelsOfWrites)
	n.story("a label that somebody changed comes back, and no other is touched", labelComesBack)
	n.story("the type of programs is registered and given back", registeredType)
	n.story("a service does it as well as a person", asService)
	n.story("under enforcement all of it works", enforcing)
}

// denials are the kernel's records of what SELinux would not have allowed our program.
func (n *node) denials(comm string) []string {
	n.t.Helper()
	var out []string
	for line := range strings.Lines(n.sh("dmesg")) {
		if strings.Contains(line, "avc:  denied") && strings.Contains(line, `comm="`+comm+`"`) {
			out = append(out, line)
		}
	}
	return out
}

func (n *node) mustNotBeDenied() {
	n.t.Helper()
	if d := n.denials("bootstrap"); len(d) > 0 {
		n.t.Errorf("%d denials:\n%s", len(d), strings.Join(d, ""))
	}
}

func denialsAreSeen(n *node) {
	n.sh("runcon system_u:system_r:syslogd_t:s0 tac /etc/shadow >/dev/null")
	if len(n.denials("tac")) == 0 {
		n.t.Fatal("the kernel records no denial")
	}
}

// selinuxContract runs the tests of machine/linux that need SELinux.
func selinuxContract(n *node) {
	bin := filepath.Join(n.t.TempDir(), "linux.test")
	build := exec.CommandContext(context.WithoutCancel(n.t.Context()), "go", "test", "-c", "-o", bin, "../../hostops/machine/linux")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		n.t.Fatalf("%v\n%s", err, out)
	}
	n.push(bin, "/srv/linux.test")
	r := n.run("/srv/linux.test", "-test.v", "-test.run", "SELinuxKeepsTheContract")
	if r.ExitCode != 0 || !strings.Contains(r.Stdout, "--- PASS: TestTheRealSELinuxKeepsTheContract") {
		n.t.Errorf("exit status %d:\n%s%s", r.ExitCode, r.Stdout, r.Stderr)
	}
}

const containersModule = `(type container_file_t)
(roletype object_r container_file_t)
`

func noPolicy(n *node) {
	d := n.document(3, "up", "--profile", "kubernetes")
	if len(d.Errors) != 1 || d.Errors[0].Reason != "SELinuxPolicyMissing" {
		n.t.Errorf("errors %+v", d.Errors)
	}
	n.sh("! test -e /var/lib/hostprofile && ! test -e /run/hostprofile")
	n.write("/srv/containers.cil", containersModule)
	n.sh("semodule -i /srv/containers.cil")
	n.up()
	n.mustNotBeDenied()
}

// labelled is one file of ours: what the policy says, as the host's own tool reads it, and
// what it has. Role, type and range count; the user is whoever wrote the file.
type labelledFile struct{ path, want, have string }

// ourFiles lists all files and folders that we wrote and that the policy is about.
func (n *node) ourFiles() []labelledFile {
	n.t.Helper()
	list := n.sh("for f in $(find /var/lib/hostprofile /run/hostprofile /etc/sysctl.d/zz-hostprofile.conf /etc/modules-load.d/hostprofile.conf); do " +
		`test -d $f && m=dir || m=file; echo "$f $(matchpathcon -n -m $m $f) $(stat -c %C $f)"; done`)
	var out []labelledFile
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		if len(words) != 3 {
			n.t.Fatalf("listed %q", line)
		}
		if words[1] != "<<none>>" {
			out = append(out, labelledFile{words[0], withoutUser(words[1]), withoutUser(words[2])})
		}
	}
	return out
}

func withoutUser(label string) string {
	_, rest, _ := strings.Cut(label, ":")
	return rest
}

// mislabelled are the files of ours that have not the label that they should have.
func (n *node) mislabelled() []string {
	n.t.Helper()
	var out []string
	for _, f := range n.ourFiles() {
		if f.have != f.want {
			out = append(out, f.path+" is "+f.have+", want "+f.want)
		}
	}
	return out
}

func (n *node) mustBeLabelled() {
	n.t.Helper()
	files := n.ourFiles()
	if len(files) < 4 {
		n.t.Errorf("of our files there are %+v", files)
	}
	for _, f := range files {
		if f.have != f.want || strings.Contains(f.have, "bin_t") || strings.Contains(f.have, "_exec_t") {
			n.t.Errorf("%s is %s, want %s", f.path, f.have, f.want)
		}
	}
}

// labelsOfWrites: each run writes our file, the record twice and the input. Of our file the
// admin says a type that nothing else in its folder has, so that the kernel would give it
// another, whatever the name that it is first written under.
func labelsOfWrites(n *node) {
	n.sh("echo '" + strings.ReplaceAll(dropIn, ".", `\.`) + " -- system_u:object_r:usr_t:s0' >" + localContexts)
	defer n.sh("rm " + localContexts)
	n.write("/srv/a.yaml", forwardOnly)
	n.write("/srv/b.yaml", strings.Replace(forwardOnly, "value: 1", "value: 0", 1))
	n.sh("for i in $(seq 13); do for f in a b; do " + remote + " up --profile kubelet-defaults -f /srv/$f.yaml >/dev/null || exit 1; done; done")
	n.mustBeLabelled()
	n.mustNotBeDenied()
	if got := n.sh("stat -c %C " + dropIn); !strings.Contains(got, ":usr_t:") {
		n.t.Errorf("%s is %s", dropIn, got)
	}
	n.sh("chcon -t bin_t " + dropIn)
	if got := n.mislabelled(); len(got) != 1 {
		n.t.Errorf("a wrong label shows as %q", got)
	}
	n.up() // writes it anew
	n.mustBeLabelled()
}

const (
	dropIn = "/etc/sysctl.d/zz-hostprofile.conf"
	// localContexts is what semanage writes; it is not there as long as nothing is registered.
	localContexts = "/etc/selinux/default/contexts/files/file_contexts.local"
)

func labelComesBack(n *node) {
	const foreign = "/var/lib/hostprofile/volume"
	n.sh("echo data >" + foreign + " && chcon system_u:object_r:container_file_t:s0:c1,c2 " + foreign)
	n.sh("chcon -t bin_t -l s0:c3 " + dropIn)
	d := n.document(1, "status")
	if i := d.item(n.t, "selinux/labels"); !strings.HasSuffix(text(i.Have), "on "+dropIn) {
		n.t.Errorf("the labels are %s", text(i.Have))
	}
	n.up()
	n.bootstrap(0, "up")
	if got := n.sh("stat -c %C " + dropIn); !strings.HasSuffix(got, ":object_r:etc_t:s0:c3") {
		n.t.Errorf("%s is %s", dropIn, got)
	}
	if got := n.sh("stat -c %C " + foreign); got != "system_u:object_r:container_file_t:s0:c1,c2" {
		n.t.Errorf("a file of others in our folder is %s", got)
	}
	n.sh("rm " + foreign + " && chcon -l s0 " + dropIn)
	n.mustNotBeDenied()
}

func registeredType(n *node) {
	const registered, program = "cat " + localContexts, "matchpathcon -n /opt/hostprofile/bin/bootstrap"
	n.down()
	n.sh("mkdir -p /opt/hostprofile/bin && semanage fcontext -N -a -t usr_t '/opt/hostprofile(/.*)?'")
	before, snap := n.sh(registered), n.snapshot()
	if got := n.sh(program); !strings.Contains(got, ":usr_t:") {
		n.t.Fatalf("a program would be %s", got)
	}
	n.up()
	if got := n.sh(program); !strings.Contains(got, ":bin_t:") {
		n.t.Errorf("a program would be %s:\n%s", got, n.sh(registered))
	}
	n.bootstrap(0, "up")
	n.down()
	if got := n.sh(registered); got != before {
		n.t.Errorf("registered was\n%s\nis\n%s", before, got)
	}
	n.asBefore(snap)
	n.sh("rm -r /opt/hostprofile")
	n.mustNotBeDenied()
}

// asService runs it as systemd does, and not in the shell of an unconfined root.
func asService(n *node) {
	n.sh("cp " + remote + " /usr/local/bin/bootstrap && restorecon /usr/local/bin/bootstrap")
	n.sh("systemd-run -q --wait /usr/local/bin/bootstrap " + strings.Join(with("up", everything...), " "))
	n.mustBe("net/ipv4/ip_forward", "1")
	n.mustBeLabelled()
	n.mustNotBeDenied()
	n.sh("systemd-run -q --wait /usr/local/bin/bootstrap down --yes && rm /usr/local/bin/bootstrap")
	n.mustNotBeDenied()
}

func enforcing(n *node) {
	defer n.sh("setenforce 0")
	n.sh("setenforce 1; " + remote + " " + strings.Join(with("up", everything...), " ") + " && test $(getenforce) = Enforcing; code=$?; setenforce 0; exit $code")
	n.mustBeLabelled()
	n.sh("setenforce 1; " + remote + " down --yes; code=$?; setenforce 0; exit $code")
	n.mustNotBeDenied()
}
