package envtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/controllers/wish"
	"github.com/hostprofile/hostprofile/test/envtest/control"
)

// withFault rewrites what the agent reads, answer by answer; watches line by line.
func (m *member) withFault(rewrite func(body string) string) {
	f := func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		res, err := next.RoundTrip(r)
		if err != nil || r.Method != http.MethodGet {
			return res, err
		}
		if r.URL.Query().Get("watch") != "" {
			res.Body = &lineRewriter{body: res.Body, rewrite: rewrite}
			return res, nil
		}
		return replaced(res, rewrite)
	}
	m.wire.fault.Store(&f)
}

func replaced(res *http.Response, rewrite func(string) string) (*http.Response, error) {
	text, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	text = []byte(rewrite(string(text)))
	res.Body, res.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	res.Header.Del("Content-Length")
	return res, err
}

// lineRewriter is a stream of lines that are rewritten.
type lineRewriter struct {
	body    io.ReadCloser
	rewrite func(string) string
	in, out bytes.Buffer
}

func (l *lineRewriter) Read(p []byte) (int, error) {
	for l.out.Len() == 0 {
		buf := make([]byte, 32<<10)
		n, err := l.body.Read(buf)
		l.in.Write(buf[:n])
		for {
			i := bytes.IndexByte(l.in.Bytes(), '\n')
			if i < 0 {
				break
			}
			l.out.WriteString(l.rewrite(string(l.in.Next(i + 1))))
		}
		if err != nil && l.out.Len() == 0 {
			return 0, err
		}
	}
	return l.out.Read(p)
}

func (l *lineRewriter) Close() error { return l.body.Close() }

var faults = flag.Int("agent.faults", 3000, "how many wrong answers about HostProfiles an agent is given")

// liar answers questions about HostProfiles, their CRD and the Node wrongly, most of the
// time, in every way that a broken server or proxy does.
type liar struct {
	count atomic.Int64
	mu    sync.Mutex
	kinds map[string]int
}

func (l *liar) lie(kind string) {
	l.count.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kinds[kind]++
}

func (l *liar) roundTrip(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	path := r.URL.Path
	watch := r.URL.Query().Get("watch") != ""
	list := strings.HasSuffix(path, "/hostprofiles")
	switch {
	case r.Method != http.MethodGet || strings.Contains(path, "hostprofilestatuses"):
		return next.RoundTrip(r)
	case watch && list: // it stays as the list was
		return next.RoundTrip(r)
	case watch || r.URL.Query().Get("fieldSelector") != "" || rand.N(10) < 2:
		return next.RoundTrip(r)
	}
	switch rand.N(8) {
	case 0:
		l.lie("500")
		return answer(r, 500, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"InternalError","code":500}`), nil
	case 1:
		l.lie("200 without a body")
		return answer(r, 200, ""), nil
	case 2:
		l.lie("200 of an empty object")
		return answer(r, 200, "{}"), nil
	case 3:
		l.lie("404 of somebody else")
		return answer(r, 404, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`), nil
	case 4:
		l.lie("connection lost")
		return nil, errors.New("no route to host") // one that client-go does not repeat by itself, a second later
	}
	res, err := next.RoundTrip(r)
	if err != nil || res.StatusCode != http.StatusOK {
		return res, err
	}
	switch {
	case list && rand.N(2) == 0:
		l.lie("200 of an empty list")
		return replaced(res, emptied(""))
	case list:
		l.lie("truncated page")
		return replaced(res, emptied("more"))
	case strings.Contains(path, "customresourcedefinitions") && rand.N(2) == 0:
		l.lie("terminating CRD")
		return replaced(res, terminating)
	default:
		l.lie("truncated text")
		return replaced(res, func(s string) string { return s[:len(s)/2] })
	}
}

func emptied(more string) func(string) string {
	return func(text string) string {
		var l struct {
			APIVersion string          `json:"apiVersion"`
			Kind       string          `json:"kind"`
			Metadata   metav1.ListMeta `json:"metadata"`
			Items      []any           `json:"items"`
		}
		if json.Unmarshal([]byte(text), &l) != nil {
			return text
		}
		l.Items, l.Metadata.Continue = []any{}, more
		out, _ := json.Marshal(l)
		return string(out)
	}
}

func terminating(text string) string {
	var o map[string]any
	if json.Unmarshal([]byte(text), &o) != nil {
		return text
	}
	o["metadata"].(map[string]any)["deletionTimestamp"] = "2030-01-01T00:00:00Z"
	out, _ := json.Marshal(o)
	return string(out)
}

func answer(r *http.Request, code int, body string) *http.Response {
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// The watch begins with an empty list, so that the profile is in doubt all the time, and
// the agent has no patience: one false piece of evidence would do.
func listFaults(t *testing.T, f *fleet) {
	m := f.join(t, "faults")
	m.profile("faults", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.live(swappiness, "10")
	m.stop()
	m.short, m.every = wish.Patience{}, time.Millisecond
	l := &liar{kinds: map[string]int{}}
	var begun atomic.Bool
	lie := func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/hostprofiles") && begun.CompareAndSwap(false, true) {
			res, err := next.RoundTrip(r)
			if err != nil {
				return res, err
			}
			return replaced(res, emptied(""))
		}
		return l.roundTrip(r, next)
	}
	m.wire.fault.Store(&lie)
	m.start()
	before := m.host.Mutations()
	for end := time.Now().Add(5 * time.Minute); l.count.Load() < int64(*faults) && time.Now().Before(end); {
		m.stays(swappiness, "10", 100*time.Millisecond)
	}
	if n := m.host.Mutations() - before; n > 0 || l.count.Load() < int64(*faults) {
		t.Errorf("%d changes of the host after %d faults", n, l.count.Load())
	}
	l.mu.Lock()
	t.Logf("%d faults, 0 undos: %v", l.count.Load(), l.kinds)
	l.mu.Unlock()
	m.wire.fault.Store(nil)
	m.restart() // and what is really gone is given back all the same
	m.deleteProfile("faults")
	m.until("given back", func() bool { v, _ := m.host.Sysctl(swappiness); return v != "10" })
}

func serverComesBack(t *testing.T, f *fleet) {
	m := f.join(t, "server")
	m.profile("server", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	if err := f.plane.StopServer(); err != nil {
		t.Fatal(err)
	}
	_ = m.host.SetSysctl(swappiness, "60")
	m.live(swappiness, "10")
	m.restart() // and without a server from the start
	_ = m.host.SetSysctl(swappiness, "60")
	m.live(swappiness, "10")
	m.stays(swappiness, "10", 3*time.Second)
	if n := strings.Count(m.log.String(), "level=WARN"); n > 3 {
		t.Errorf("%d warnings: %s", n, m.log)
	}
	if err := f.plane.StartServer(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	m.profile("server", "sysctls: [{name: vm.swappiness, value: 20}]")
	m.live(swappiness, "20")
	m.until("the status is right again", func() bool { s := m.status(); return len(s.Profiles) == 1 && s.Profiles[0].Generation == 2 })
	t.Logf("back in step %s after the server", time.Since(begin).Round(time.Millisecond))
}

func crdComesBack(t *testing.T, f *fleet) {
	m := f.join(t, "crd")
	m.short.Moved = 20 * time.Second
	m.restart()
	m.profile("crd", "sysctls: [{name: vm.swappiness, value: 10}]")
	m.state(v1alpha1.NodeReady, v1alpha1.ReasonAllApplied)
	if _, err := f.plane.Kubectl(t.Context(), "", "delete", "crd", v1alpha1.CRDName, "--wait=true"); err != nil {
		t.Fatal(err)
	}
	m.stays(swappiness, "10", 3*time.Second)
	dir, err := control.File("config/crd")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.plane.Kubectl(t.Context(), "", "apply", "--server-side", "-f", dir+"/hostprofile.io_hostprofiles.yaml"); err != nil {
		t.Fatal(err)
	}
	m.stays(swappiness, "10", 3*time.Second)
	const again = "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: crd}\n" +
		"spec: {nodeSelector: {matchLabels: {test: crd}}, sysctls: [{name: vm.swappiness, value: 15}]}\n"
	m.until("profiles can be created again", func() bool {
		_, err := f.plane.Kubectl(t.Context(), again, "apply", "--server-side", "-f", "-")
		return err == nil
	})
	m.live(swappiness, "15")
}
