package filecontext_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/filecontext"
)

func label(t string) string { return "system_u:object_r:" + t + ":s0" }

const policy = `# comment
/.*	system_u:object_r:default_t:s0
/etc/.*	system_u:object_r:etc_t:s0
/etc/secret(/.*)?	system_u:object_r:secret_t:s0
/etc/secret/open\.conf	--	system_u:object_r:open_t:s0
/etc/[^/]+\.d	-d	system_u:object_r:dropin_t:s0
/etc/secret/more	system_u:object_r:more_t:s0
/etc/secret/m.*	system_u:object_r:late_t:s0
/var/lib/pods(/.*)?	<<none>>
/opt/(.*/)?bin(/.*)?	system_u:object_r:bin_t:s0
/usr/(a|b)/c	system_u:object_r:group_t:s0
/usr/x|/usr/y	system_u:object_r:either_t:s0
word
a b c d e
/bad	-x	system_u:object_r:bad_t:s0
/odd(?=x).*	system_u:object_r:odd_t:s0
`

func TestTheLastMatchWinsAndAnExactPathBeforeAll(t *testing.T) {
	c := filecontext.Parse(filecontext.Files{
		Main: policy, Homes: "/home/[^/]+	-d	" + label("home_t"),
		Local:    "/srv/bin(/.*)?    " + label("bin_t") + "\n/etc/mine -- " + label("mine_t"),
		Subs:     "/data /var\n/alias /etc\n/alias/deep /opt\n",
		SubsDist: "/run /var/run\n/back /\n",
	})
	for _, row := range []struct {
		path string
		kind filecontext.Kind
		want string
	}{
		{"/etc/hosts", filecontext.Regular, "etc_t"},
		{"/etc", filecontext.Directory, "default_t"},
		{"/etc/secret", filecontext.Directory, "secret_t"},
		{"/etc/secretive", filecontext.Regular, "etc_t"},
		{"/etc/secret/a/b", filecontext.Regular, "secret_t"},
		{"/etc/secret/open.conf", filecontext.Regular, "open_t"},
		{"/etc/secret/open.conf", filecontext.Directory, "secret_t"},
		{"/etc/secret/openXconf", filecontext.Regular, "secret_t"},
		{"/etc/secret/more", filecontext.Regular, "more_t"},
		{"/etc/secret/most", filecontext.Regular, "late_t"},
		{"/etc/sysctl.d", filecontext.Directory, "dropin_t"},
		{"/etc/sysctl.d", filecontext.Regular, "etc_t"},
		{"/etc/sysctl.d/f.d", filecontext.Directory, "etc_t"},
		{"/var/lib/pods/x", filecontext.Regular, ""},
		{"/opt/bin/x", filecontext.Regular, "bin_t"},
		{"/opt/a/b/bin/x", filecontext.Regular, "bin_t"},
		{"/usr/b/c", filecontext.Regular, "group_t"},
		{"/usr/x/y", filecontext.Regular, "either_t"}, // "^/x" or "y$", after the stem
		{"/usr/z", filecontext.Regular, "default_t"},
		{"/home/ann", filecontext.Directory, "home_t"},
		{"/srv/bin/tool", filecontext.Regular, "bin_t"},
		{"/etc/mine", filecontext.Regular, "mine_t"},
		{"/data/lib/pods", filecontext.Directory, ""},
		{"/database", filecontext.Directory, "default_t"},
		{"/alias/hosts", filecontext.Regular, "etc_t"},
		{"/alias/deep/bin", filecontext.Directory, "bin_t"},
		{"/back/etc/hosts", filecontext.Regular, "etc_t"},
		{"/etc/new\nline", filecontext.Regular, "etc_t"},
	} {
		want := row.want
		if want != "" {
			want = label(want)
		}
		if got, err := c.Lookup(row.path, row.kind); got != want || err != nil {
			t.Errorf("%s (%c) is %q, %v; want %q", row.path, row.kind, got, err, want)
		}
	}
	if got := c.Local("/srv/bin(/.*)?"); got != label("bin_t") {
		t.Errorf("the admin's own context is %q", got)
	}
	for _, regex := range []string{"/etc/mine", "/etc/.*"} {
		if got := c.Local(regex); got != "" {
			t.Errorf("%s is not the admin's for all kinds, and reads as %q", regex, got)
		}
	}
}

// A guess could give a file an executable's type.
func TestAnExpressionThatGoCannotReadIsAnErrorWhereItCounts(t *testing.T) {
	c := filecontext.Parse(filecontext.Files{Main: policy})
	_, err := c.Lookup("/odd", filecontext.Regular)
	if err == nil || !strings.Contains(err.Error(), "line 16") || !strings.Contains(err.Error(), "/odd(?=x).*") {
		t.Errorf("error %v", err)
	}
	c = filecontext.Parse(filecontext.Files{Main: "/a/(?=x).* " + label("a_t") + "\n/b/.* " + label("b_t")})
	if got, err := c.Lookup("/b/f", filecontext.Regular); err != nil || got != label("b_t") {
		t.Errorf("another folder is %q, %v", got, err)
	}
}

func TestALabelIsTakenApart(t *testing.T) {
	for _, label := range []string{"system_u:object_r:etc_t:s0", "u:r:t:s0-s0:c0.c1023", "u:r:t", "u:r:t:s0:c1,c2"} {
		c, ok := filecontext.ParseContext(label)
		if !ok || c.String() != label {
			t.Errorf("%s reads as %+v", label, c)
		}
	}
	for _, label := range []string{"", "u", "u:r", "u::t", ":r:t", "u:r:"} {
		if c, ok := filecontext.ParseContext(label); ok {
			t.Errorf("%q reads as %+v", label, c)
		}
	}
}
