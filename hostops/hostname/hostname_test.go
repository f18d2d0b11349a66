package hostname_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/hostname"
	"github.com/hostprofile/hostprofile/hostops/item"
)

func TestANameIsTakenInLowerCaseOrRefused(t *testing.T) {
	label := strings.Repeat("a", 63)
	long := strings.Join([]string{label, label, label, strings.Repeat("a", 61)}, ".")
	for _, c := range []struct {
		raw, want string
		reason    item.Reason
		words     string // of message and fix
	}{
		{raw: "node1", want: "node1"},
		{raw: "HostA01", want: "hosta01"},
		{raw: "node1.Example.NET", want: "node1.example.net"},
		{raw: "1node", want: "1node"},
		{raw: "a", want: "a"},
		{raw: "localhost-7", want: "localhost-7"},
		{raw: label, want: label},
		{raw: long, want: long},
		{raw: "", reason: hostname.Missing, words: "no name of its own"},
		{raw: "(none)", reason: hostname.Missing, words: "(none)"},
		{raw: "localhost", reason: hostname.Missing, words: "localhost"},
		{raw: "LocalHost.localdomain", reason: hostname.Missing, words: "hostnamectl set-hostname"},
		{raw: "my_host", reason: hostname.Invalid, words: "--hostname-override=my-host"},
		{raw: "My_Host.example.net", reason: hostname.Invalid, words: "set-hostname my-host.example.net"},
		{raw: "node 1", reason: hostname.Invalid, words: "node-1"},
		{raw: "-node", reason: hostname.Invalid, words: "begins or ends with a dash"},
		{raw: "node-", reason: hostname.Invalid, words: "set-hostname node,"},
		{raw: "node..net", reason: hostname.Invalid, words: "empty part"},
		{raw: "node.", reason: hostname.Invalid, words: "empty part"},
		{raw: "knöten", reason: hostname.Invalid, words: "kn-ten"},
		{raw: "___", reason: hostname.Invalid, words: "set-hostname NAME"},
		{raw: label + "a", reason: hostname.Invalid, words: "a part of 64 characters"},
		{raw: long + "a", reason: hostname.Invalid, words: "254 characters"},
		{raw: "a\x00b\x1b", reason: hostname.Invalid, words: `\x1b`},
	} {
		name, err := hostname.Canonical(c.raw)
		if name != c.want || (err == nil) != (c.reason == "") {
			t.Errorf("%q: %q, %v", c.raw, name, err)
			continue
		}
		var e *item.Error
		if errors.As(err, &e) && (e.Reason != c.reason || !strings.Contains(e.Message+" "+e.Fix, c.words)) {
			t.Errorf("%q: %s, %s, %s", c.raw, e.Reason, e.Message, e.Fix)
		}
	}
}

// FuzzCanonical: what is taken is a name, is taken again as it is, and nobody's name is
// made up.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"node1", "My_Host", "(none)", "a..b", "-", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name, err := hostname.Canonical(raw)
		if err == nil {
			if again, err := hostname.Canonical(name); err != nil || again != name || !strings.EqualFold(name, raw) {
				t.Errorf("%q: %q, then %q, %v", raw, name, again, err)
			}
			return
		}
		if p := hostname.Proposal(raw); p != "" {
			if again, err := hostname.Canonical(p); err != nil || again != p {
				t.Errorf("%q: the proposal %q becomes %q, %v", raw, p, again, err)
			}
		}
	})
}
