package bench_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/test/envtest/control"
	"github.com/hostprofile/hostprofile/test/program"
	"github.com/hostprofile/hostprofile/test/testbed"
)

const (
	nodeName  = "bench"
	agentUser = "system:serviceaccount:hostprofile-system:hostprofile-agent"
)

// auditPolicy records what the agent asks for.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, users: ["` + agentUser + `"]}
- {level: None}
`

// agentBox is a sandbox with the agent in it, and a control plane beside it that the
// sandbox reaches on its own loopback.
type agentBox struct {
	*box
	plane *control.Plane
	admin client.Client
	agent testbed.Process
	argv  []string
	audit string // the file
}

// newAgentBox makes a box with n keys, a control plane and a Node. The agent is built, and
// not started.
func newAgentBox(b *testing.B, n int) *agentBox {
	b.Helper()
	x := &agentBox{box: newBox(b, n)}
	x.audit = filepath.Join(x.dir, "audit.log")
	x.plane = control.Start(b, control.WithFlag("audit-log-path", x.audit),
		control.WithFlag("audit-policy-file", x.put("audit.yaml", auditPolicy)))
	x.install()
	manager, err := program.BuildManager(b.Context(), x.dir)
	if err != nil {
		b.Fatal(err)
	}
	kubeconfig, err := x.plane.KubeconfigOf(agentUser, "system:serviceaccounts")
	if err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile(kubeconfig) // its folder may be covered in the sandbox
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { b.Log(x.lastWords()) })
	b.Cleanup(func() { _ = x.agent.Kill() }) // before the control plane, which waits for its watches
	x.argv = []string{manager, "agent", "--node-name", nodeName, "--host", "/", "--kubeconfig", x.put("kubeconfig", string(text))}
	x.bridge(strings.Trim(strings.TrimPrefix(x.plane.Config.Host, "https://"), "/"))
	return x
}

// install gives the cluster the agent's role, as it is shipped, and a Node.
func (x *agentBox) install() {
	x.b.Helper()
	dir, err := control.File("config/daemonset")
	if err != nil {
		x.b.Fatal(err)
	}
	if _, err := x.plane.Kubectl(x.b.Context(), "", "apply", "-k", dir); err != nil {
		x.b.Fatal(err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			x.b.Fatal(err)
		}
	}
	if x.admin, err = client.New(x.plane.Config, client.Options{Scheme: scheme}); err != nil {
		x.b.Fatal(err)
	}
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: nodeName}}
	if err := x.admin.Create(x.b.Context(), n); err != nil {
		x.b.Fatal(err)
	}
}

// bridge lets the sandbox reach an address of the machine's loopback under the same
// address of its own.
func (x *agentBox) bridge(address string) {
	x.b.Helper()
	var l net.Listener
	err := x.Do(func() (err error) { l, err = net.Listen("tcp4", address); return err })
	if err != nil {
		x.b.Fatal(err)
	}
	x.b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			inside, err := l.Accept()
			if err != nil {
				return
			}
			go join(inside, address)
		}
	}()
}

// join passes on what both sides say until either ends.
func join(inside net.Conn, address string) {
	outside, err := net.Dial("tcp4", address)
	if err != nil {
		_ = inside.Close()
		return
	}
	var wait sync.WaitGroup
	for _, pair := range [][2]net.Conn{{inside, outside}, {outside, inside}} {
		wait.Go(func() {
			_, _ = io.Copy(pair[0], pair[1])
			_, _ = inside.Close(), outside.Close()
		})
	}
	wait.Wait()
}

// start starts the agent, under another program if there is one.
func (x *agentBox) start(under ...string) {
	x.b.Helper()
	p, err := x.Start(context.WithoutCancel(x.b.Context()), append(slices.Clone(under), x.argv...)...)
	if err != nil {
		x.b.Fatal(err)
	}
	x.agent = p
}

// stop ends the agent as kubelet would.
func (x *agentBox) stop() {
	x.b.Helper()
	x.must("kill", "-TERM", x.pid())
	if r, err := x.agent.Wait(); err != nil || r.ExitCode != 0 {
		x.b.Fatalf("the agent ended with %d, %v: %s", r.ExitCode, err, x.agent.Output())
	}
}

// pid is the agent's own, in the sandbox.
func (x *agentBox) pid() string { x.b.Helper(); return x.must("pidof", "-s", "manager") }

// until waits for something that has to come.
func (x *agentBox) until(what string, ok func() bool) {
	x.b.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ok() {
			return
		}
	}
	x.b.Fatalf("not so: %s\n%s", what, x.agent.Output())
}

// wanted is a HostProfile that every node follows.
func wanted(name string, keys []key) *v1alpha1.HostProfile {
	p := &v1alpha1.HostProfile{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.Kind},
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1alpha1.HostProfileSpec{NodeSelector: &metav1.LabelSelector{}},
	}
	for _, k := range keys {
		value := v1alpha1.TextValue(k.wish)
		p.Spec.Sysctls = append(p.Spec.Sysctls, v1alpha1.Sysctl{Name: strings.ReplaceAll(k.path, "/", "."), Value: &value})
	}
	return p
}

func (x *agentBox) create(p *v1alpha1.HostProfile) {
	x.b.Helper()
	if err := x.admin.Create(x.b.Context(), p); err != nil {
		x.b.Fatal(err)
	}
}

// edit makes the first setting of a profile have another value.
func (x *agentBox) edit(name, value string) {
	x.b.Helper()
	patch := fmt.Sprintf(`[{"op":"replace","path":"/spec/sysctls/0/value","value":%q}]`, value)
	p := &v1alpha1.HostProfile{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if err := x.admin.Patch(x.b.Context(), p, client.RawPatch(types.JSONPatchType, []byte(patch))); err != nil {
		x.b.Fatal(err)
	}
}

// reported waits until the node says that it has so many profiles and is as they wish,
// and until it has nothing more to say.
func (x *agentBox) reported(profiles int) {
	x.b.Helper()
	x.until(fmt.Sprintf("%d profiles are reported", profiles), func() bool {
		var s v1alpha1.HostProfileStatus
		_ = x.admin.Get(x.b.Context(), client.ObjectKey{Name: nodeName}, &s)
		return s.Status.State == v1alpha1.NodeReady && len(s.Status.Profiles) == profiles
	})
	time.Sleep(3 * time.Second)
}

// asked counts what the agent has asked the API server for.
type asked struct{ writes, watches int }

func (a asked) since(o asked) asked { return asked{a.writes - o.writes, a.watches - o.watches} }

// asked reads the audit log.
func (x *agentBox) asked() (a asked) {
	x.b.Helper()
	f, err := os.Open(x.audit)
	if err != nil {
		x.b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct{ Verb, Stage string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			x.b.Fatal(err)
		}
		switch {
		case e.Verb == "watch" && e.Stage == "ResponseStarted":
			a.watches++
		case e.Stage == "ResponseComplete" && slices.Contains([]string{"create", "update", "patch", "delete"}, e.Verb):
			a.writes++
		}
	}
	return a
}

// lastWords are the last lines of the agent's log that are not about a setting.
func (x *agentBox) lastWords() string {
	var lines []string
	for line := range strings.Lines(x.agent.Output()) {
		if !strings.Contains(line, "event=changed") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-20):], "")
}
