package kmod_test

import (
	"maps"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/kmod"
)

func TestBootFileNamesModulesInOrder(t *testing.T) {
	lines := map[item.Key]item.State{
		kmod.Key("overlay"): kmod.Loaded, kmod.Key("br-netfilter"): kmod.Loaded, kmod.Key("ip_vs"): item.Absent,
	}
	s := kmod.BootFile{}.Render(lines, nil)
	_, content, err := s.FileContent()
	want := "# Written by hostprofile: modules to load at boot. Changes are overwritten;\n" +
		"# name modules in a HostProfile.\nbr_netfilter\noverlay\n"
	if err != nil || string(content) != want {
		t.Errorf("%v\n%s", err, content)
	}
	delete(lines, kmod.Key("ip_vs"))
	if got := (kmod.BootFile{}).Lines(s); !maps.Equal(got, lines) {
		t.Errorf("read back as %v", got)
	}
}

func TestNoModulesGiveNoFile(t *testing.T) {
	if s := (kmod.BootFile{}).Render(nil, nil); s != item.Absent {
		t.Errorf("%s", s)
	}
	for _, s := range []item.State{item.Absent, item.Unknown, item.FileState(0o644, []byte("# x\n; y\n\n"))} {
		if got := (kmod.BootFile{}).Lines(s); len(got) != 0 {
			t.Errorf("%v", got)
		}
	}
}
