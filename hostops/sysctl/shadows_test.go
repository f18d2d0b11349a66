package sysctl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// shadows returns "file:line key value", "!" for lines that beat ours, and the reader.
func shadows(files []sysctl.File, wants ...item.Want) []string {
	var out []string
	for _, s := range sysctl.Shadows(files, wants) {
		line := fmt.Sprintf("%s:%d %s %s", strings.TrimPrefix(s.File, "/"), s.Line, s.Key.Name(), s.Value)
		if s.BeatsOurs {
			line += " !"
		}
		if s.Reader != "" {
			line += " " + string(s.Reader)
		}
		out = append(out, line)
	}
	return out
}

func files(pairs ...string) (list []sysctl.File) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, sysctl.File{Path: pairs[i], Content: pairs[i+1]})
	}
	return list
}

func atLeast(n sysctl.Name, value string) item.Want {
	w := wish(n, value)
	w.Compare, w.Volatile = item.AtLeast, true
	return w
}

func TestShadows(t *testing.T) {
	forward := wish("net.ipv4.ip_forward", "1")
	lxc := wish("net.ipv4.conf.lxc*.rp_filter", "0")
	for _, c := range []struct {
		name  string
		files []sysctl.File
		wants []item.Want
		want  []string
	}{
		{"vendor's file without a number sorts after ours",
			files("/usr/lib/sysctl.d/zzz.conf", "# x\nnet.ipv4.ip_forward = 0\n"), []item.Want{forward},
			[]string{"usr/lib/sysctl.d/zzz.conf:2 net.ipv4.ip_forward 0 !"}},
		{"a file before ours loses and is named",
			files("/etc/sysctl.d/99-cis.conf", "vm.overcommit_memory=0"), []item.Want{wish("vm.overcommit_memory", "1")},
			[]string{"etc/sysctl.d/99-cis.conf:1 vm.overcommit_memory 0"}},
		{"the same value is no shadow, whatever its spelling",
			files("/etc/sysctl.d/zzz.conf", "net/ipv4/ip_forward=0x1\nnet.ipv4.conf.all.forwarding = 1"), []item.Want{forward}, nil},
		{"another name of the same variable",
			files("/etc/sysctl.d/zzz.conf", "net.ipv4.conf.all.forwarding = 0"), []item.Want{forward},
			[]string{"etc/sysctl.d/zzz.conf:1 net.ipv4.ip_forward 0 !"}},
		{"the other one of a pair",
			files("/etc/sysctl.d/zzz.conf", "vm.dirty_ratio = 5"), []item.Want{wish("vm.dirty_bytes", "4096")},
			[]string{"etc/sysctl.d/zzz.conf:1 vm.dirty_ratio vm.dirty_ratio=5 !"}},
		{"a hidden name masks nothing, a file of the same name does",
			files("/etc/sysctl.d/zzz.conf", "", "/usr/lib/sysctl.d/zzz.conf", "net.ipv4.ip_forward=0"), []item.Want{forward}, nil},
		{"sysctl.conf is last under procps",
			files("/etc/sysctl.conf", "net.ipv4.ip_forward=0"), []item.Want{forward},
			[]string{"etc/sysctl.conf:1 net.ipv4.ip_forward 0 ! sysctl --system"}},
		{"sysctl.conf through the link is one file",
			append(files("/etc/sysctl.conf", "net.ipv4.ip_forward=0"),
				sysctl.File{Path: "/etc/sysctl.d/99-sysctl.conf", Real: "/etc/sysctl.conf", Content: "net.ipv4.ip_forward=0"}),
			[]item.Want{forward},
			[]string{"etc/sysctl.conf:1 net.ipv4.ip_forward 0 systemd-sysctl", "etc/sysctl.conf:1 net.ipv4.ip_forward 0 ! sysctl --system"}},
		{"only the last line of several beats ours",
			files("/etc/sysctl.d/zzz.conf", "net.ipv4.ip_forward=0\nnet.ipv4.ip_forward=2"), []item.Want{forward},
			[]string{"etc/sysctl.d/zzz.conf:1 net.ipv4.ip_forward 0", "etc/sysctl.d/zzz.conf:2 net.ipv4.ip_forward 2 !"}},
		{"a pattern of others does not touch what we name",
			files("/etc/sysctl.d/zzz.conf", "net.ipv4.conf.*.rp_filter=2"), []item.Want{wish("net.ipv4.conf.eth0.rp_filter", "0")}, nil},
		{"a pattern of others after ours",
			files("/usr/lib/sysctl.d/zzz.conf", "net.ipv4.conf.*.rp_filter=2"), []item.Want{lxc},
			[]string{"usr/lib/sysctl.d/zzz.conf:1 net.ipv4.conf.lxc*.rp_filter 2 !"}},
		{"a pattern of others before ours",
			files("/usr/lib/sysctl.d/50-default.conf", "-net.ipv4.conf.*.rp_filter=2\nnet.ipv4.conf.eth*.rp_filter=1"), []item.Want{lxc},
			[]string{"usr/lib/sysctl.d/50-default.conf:1 net.ipv4.conf.lxc*.rp_filter 2"}},
		{"a named interface beats our pattern from anywhere",
			files("/etc/sysctl.d/10.conf", "net.ipv4.conf.lxc1.rp_filter=1"), []item.Want{lxc},
			[]string{"etc/sysctl.d/10.conf:1 net.ipv4.conf.lxc*.rp_filter 1 !"}},
		{"an excluded interface is kept from our pattern",
			files("/etc/sysctl.d/10.conf", "-net.ipv4.conf.lxc1.rp_filter"), []item.Want{lxc},
			[]string{"etc/sysctl.d/10.conf:1 net.ipv4.conf.lxc*.rp_filter (absent) !"}},
		{"a minimum that a file stays above",
			files("/etc/sysctl.d/10.conf", "vm.max_map_count=1048576"), []item.Want{atLeast("vm.max_map_count", "262144")}, nil},
		{"a minimum that a file falls below: we list no line, so it wins the boot",
			files("/etc/sysctl.d/10.conf", "vm.max_map_count=65530"), []item.Want{atLeast("vm.max_map_count", "262144")},
			[]string{"etc/sysctl.d/10.conf:1 vm.max_map_count 65530 !"}},
		{"our own file is not held against us",
			files(paths.SysctlDropIn, "net.ipv4.ip_forward=0"), []item.Want{forward}, nil},
		{"keys that nobody wants, lines that nobody can read",
			files("/etc/sysctl.d/zzz.conf", "vm.swappiness=1\nrubbish\n=1\nnet.ipv4.ip_forward\n"), []item.Want{forward}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shadows(c.files, c.wants...); !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestFilesAreLoadedOnceEachAndLinksAreFollowed(t *testing.T) {
	h := fake.New()
	h.PutFile("/etc/sysctl.conf", "net.ipv4.ip_forward=0\n")
	h.PutLink("/etc/sysctl.d/99-sysctl.conf", "../sysctl.conf")
	h.PutFile("/usr/lib/sysctl.d/50.conf", "vm.swappiness=1\n")
	h.PutFile("/etc/sysctl.d/README", "vm.swappiness=2\n")
	h.PutLink("/etc/sysctl.d/50.conf", "/dev/null")
	list, err := sysctl.LoadFiles(h.Machine())
	check(t, err)
	got := make(map[string]sysctl.File)
	for _, f := range list {
		got[f.Path] = f
	}
	if len(got) != 4 || len(list) != 4 {
		t.Errorf("files %v", list)
	}
	if f := got["/etc/sysctl.d/99-sysctl.conf"]; f.Real != "/etc/sysctl.conf" || f.Content == "" {
		t.Errorf("the link is %+v", f)
	}
	if _, ok := sysctl.Read(sysctl.Systemd, list).Deciding(sysctl.Key("vm.swappiness")); ok {
		t.Error("a link to /dev/null hides no file of its name")
	}
}
