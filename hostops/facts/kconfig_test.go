package facts_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/facts"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
)

const kconfig = "#\n# Automatically generated file; DO NOT EDIT.\n#\nCONFIG_BPF=y\nCONFIG_OVERLAY_FS=m\n# CONFIG_BPF_JIT is not set\nCONFIG_HZ=250\nCONFIG_DEFAULT_HOSTNAME=\"(none)\"\nnonsense\n"

func TestParseKernelOptions(t *testing.T) {
	o := facts.ParseKernelOptions(kconfig)
	if len(o) != 4 || !o.Has("BPF") || !o.Has("OVERLAY_FS") || o.Has("BPF_JIT") || o.Has("HZ") || o["HZ"] != "250" || o["DEFAULT_HOSTNAME"] != "(none)" {
		t.Errorf("%v", o)
	}
}

func TestKernelOptionsComeFromTheKernelOrItsPackage(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte(kconfig)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	const release = "6.1.0-18-amd64"
	for _, c := range []struct {
		place func(*fake.Host)
		from  string
	}{
		{func(*fake.Host) {}, ""},
		{func(h *fake.Host) { h.PutFile("/boot/config-"+release, kconfig) }, "/boot/config-" + release},
		{func(h *fake.Host) { h.PutFile("/lib/modules/"+release+"/config", kconfig) }, "/lib/modules/" + release + "/config"},
		{func(h *fake.Host) {
			h.SetProc("/proc/config.gz", packed.String())
			h.PutFile("/boot/config-"+release, "CONFIG_BPF=n\n")
		}, "/proc/config.gz"},
		{func(h *fake.Host) {
			h.SetProc("/proc/config.gz", "garbage")
			h.PutFile("/boot/config-"+release, kconfig)
		}, "/boot/config-" + release},
	} {
		h := fake.New()
		c.place(h)
		o, from := facts.ReadKernelOptions(h.Machine(), release)
		if from != c.from || o.Has("BPF") != (c.from != "") {
			t.Errorf("from %q, want %q: %v", from, c.from, o)
		}
	}
	if _, from := facts.ReadKernelOptions(fake.New().Machine(), "../../etc/passwd"); from != "" {
		t.Errorf("from %q", from)
	}
}

func FuzzParseKernelOptions(f *testing.F) {
	f.Add(kconfig)
	f.Fuzz(func(t *testing.T, text string) {
		for name := range facts.ParseKernelOptions(text) {
			if len(name) > len(text) {
				t.Errorf("%q", name)
			}
		}
	})
}
