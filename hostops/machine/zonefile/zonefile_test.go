package zonefile_test

import (
	"reflect"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/machine/zonefile"
)

const delivered = `<?xml version="1.0" encoding="utf-8"?>
<zone target="ACCEPT">
  <short>Trusted</short>
  <description>All network connections are accepted.</description>
  <forward/>
</zone>
`

func TestSameWhateverTheLayout(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"itself":               {delivered, delivered, true},
		"comments and order":   {`<zone><!-- x --><service name="a"/><forward/></zone>`, "<zone>\n <forward></forward>\n <service name='a'/>\n</zone>", true},
		"order of attributes":  {`<zone><port port="1" protocol="udp"/></zone>`, `<zone><port protocol="udp" port="1"/></zone>`, true},
		"white space in text":  {"<zone><short>a\n b</short></zone>", "<zone><short>a b</short></zone>", true},
		"the version":          {`<zone version="1.0"/>`, `<zone/>`, true},
		"another target":       {`<zone target="ACCEPT"/>`, `<zone target="DROP"/>`, false},
		"one more interface":   {`<zone><interface name="a"/></zone>`, `<zone/>`, false},
		"the same thing twice": {`<zone><interface name="a"/><interface name="a"/></zone>`, `<zone><interface name="a"/></zone>`, false},
		"a child of another":   {`<zone><rule><accept/></rule></zone>`, `<zone><rule/><accept/></zone>`, false},
		"text of another":      {`<zone><short>a</short></zone>`, `<zone><short/>a</zone>`, false},
		"half a file":          {"<zone>", "<zone>", false},
		"no file":              {"", "", false},
	} {
		if got := zonefile.Same([]byte(c.a), []byte(c.b)); got != c.same {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestLoadTakesTheHostsOwnFileFirst(t *testing.T) {
	h := fake.New()
	h.PutFile("/usr/lib/firewalld/zones/trusted.xml", delivered)
	h.PutFile("/usr/lib/firewalld/zones/public.xml", `<zone><service name="ssh"/></zone>`)
	h.PutFile("/etc/firewalld/zones/trusted.xml.old", "not a zone")
	h.PutFile("/etc/firewalld/zones/trusted.xml", `<zone target="ACCEPT"><interface name="lxc+"/>
		<source address="10.0.0.0/8"/><source mac="00:11:22:33:44:55"/><source ipset="admins"/><port port="8472" protocol="udp"/></zone>`)
	got, err := zonefile.Load(h.Machine().Files)
	want := []machine.Zone{
		{Name: "trusted", Target: "ACCEPT", Interfaces: []string{"lxc+"}, Sources: []string{"10.0.0.0/8", "00:11:22:33:44:55", "ipset:admins"}, Ports: []string{"8472/udp"}},
		{Name: "public", Target: "default", Services: []string{"ssh"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	h.PutFile("/etc/firewalld/zones/trusted.xml", "<zone")
	if _, err := zonefile.Load(h.Machine().Files); err == nil {
		t.Error("a file that cannot be read was passed over")
	}
}

func FuzzSame(f *testing.F) {
	f.Add([]byte(delivered), []byte("<zone/>"))
	f.Add([]byte("<zone><a b='c'>d</a></zone>"), []byte("<!DOCTYPE x><zone>&lt;</zone>"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if zonefile.Same(a, b) != zonefile.Same(b, a) {
			t.Error("the order of the two matters")
		}
		if zonefile.Same(a, b) && (!zonefile.Same(a, a) || !zonefile.Same(b, b)) {
			t.Error("two files are the same, and one is not the same as itself")
		}
	})
}

// What a file says of a zone is said of the zone that has the file's name.
func FuzzParse(f *testing.F) {
	f.Add([]byte(delivered))
	f.Add([]byte(`<zone target="ACCEPT"><interface name="lxc+"/><source ipset="x"/><service name="ssh"/><port port="1-2" protocol="tcp"/></zone>`))
	f.Add([]byte(`<zone><interface/><interface name=""/></zone>`))
	f.Fuzz(func(t *testing.T, content []byte) {
		z, err := zonefile.Parse("a", content)
		if err == nil && (z.Name != "a" || z.Target == "") {
			t.Errorf("%q is the zone %+v", content, z)
		}
	})
}
