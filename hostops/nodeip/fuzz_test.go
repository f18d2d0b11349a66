package nodeip_test

import (
	"net/netip"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// A list that is taken names one or two addresses which could each be a node's.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"192.0.2.10", "192.0.2.10,2001:db8::1", "::ffff:192.0.2.10", "010.0.0.1", "192.0.2.10/24", "fe80::1%eth0", "a,b,c", ","} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		all, err := nodeip.Parse(value)
		if err != nil {
			if nodeip.Check(value, true) == nil || nodeip.Check(value, false) == nil {
				t.Errorf("%q cannot be read, and is taken", value)
			}
			return
		}
		if len(all) < 1 || len(all) > 2 {
			t.Fatalf("%q is %v", value, all)
		}
		for _, a := range all {
			if !a.IsValid() || a.Zone() != "" || nodeip.UnreachableKind(a) != "" {
				t.Errorf("%q names %v", value, a)
			}
		}
	})
}

func FuzzParsePrefix(f *testing.F) {
	for _, s := range []string{"192.0.2.0/24", "192.0.2.7", "::ffff:192.0.2.0/120", "2001:db8::/33", "0/0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := nodeip.ParsePrefix(text)
		if err != nil {
			return
		}
		if again, err := nodeip.ParsePrefix(p.String()); err != nil || again != p {
			t.Errorf("%q is %v, which is read as %v, %v", text, p, again, err)
		}
	})
}

// A kept address that cannot be read is an error, and never no address.
func FuzzReadState(f *testing.F) {
	f.Add(`{"major":1,"nodeIP":"192.0.2.10","source":"Detected"}`)
	f.Add("")
	f.Add(`{"major":2}`)
	f.Add("null")
	f.Fuzz(func(t *testing.T, text string) {
		h := fake.New()
		h.PutFile(paths.NodeIP, text)
		s, err := nodeip.ReadState(h.Machine().Files)
		if (s == nil) == (err == nil) {
			t.Fatalf("%q gives %v and %v", text, s, err)
		}
		if err == nil {
			_ = s.Of("m")
			_, _ = netip.ParseAddr(s.IP)
		}
	})
}
