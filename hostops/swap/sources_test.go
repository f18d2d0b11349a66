package swap_test

import (
	"slices"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/swap"
)

func TestSourcesAreFoundAndNamed(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		links map[string]string
		want  []string // "kind device place"
	}{
		{"fstab", map[string]string{"/etc/fstab": "# x\nUUID=a-b / ext4 rw 0 1\n/swap.img none swap sw 0 0\n"}, nil,
			[]string{"fstab /swap.img /etc/fstab:3"}},
		{"fstab with a blank in the name", map[string]string{"/etc/fstab": "/swap\\040file\tnone\tswap\n"}, nil,
			[]string{"fstab /swap file /etc/fstab:1"}},
		{"fstab by UUID", map[string]string{"/etc/fstab": "UUID=a-b none swap sw 0 0\n"},
			map[string]string{"/dev/disk/by-uuid/a-b": "../../sda2"}, []string{"fstab /dev/sda2 /etc/fstab:1"}},
		{"fstab by label and mapper", map[string]string{"/etc/fstab": "LABEL=\"swap\" none swap sw 0 0\n"},
			map[string]string{"/dev/disk/by-label/swap": "/dev/mapper/vg-swap", "/dev/mapper/vg-swap": "../dm-0"}, []string{"fstab /dev/dm-0 /etc/fstab:1"}},
		{"fstab line that waits for its mount", map[string]string{"/etc/fstab": "/dev/sda2 none swap sw,noauto 0 0\n"}, nil, nil},
		{"unit", map[string]string{"/etc/systemd/system/swapfile.swap": "[Swap]\nWhat=/swapfile\n"}, nil,
			[]string{"unit /swapfile /etc/systemd/system/swapfile.swap:2"}},
		{"masked unit", map[string]string{"/usr/lib/systemd/system/a.swap": "[Swap]\nWhat=/a\n", "/dev/null": ""},
			map[string]string{"/etc/systemd/system/a.swap": "/dev/null"}, nil},
		{"unit made from fstab", map[string]string{
			"/etc/fstab":                           "/dev/sda2 none swap sw 0 0\n",
			"/run/systemd/generator/dev-sda2.swap": "[Unit]\nSourcePath=/etc/fstab\n[Swap]\nWhat=/dev/sda2\n",
		}, nil, []string{"fstab /dev/sda2 /etc/fstab:1"}},
		{"unit of a partition found by its type", map[string]string{"/run/systemd/generator.late/dev-sda3.swap": "[Swap]\nWhat=/dev/sda3\n"}, nil,
			[]string{"unit /dev/sda3 /run/systemd/generator.late/dev-sda3.swap:2"}},
		{"zram-generator", map[string]string{"/usr/lib/systemd/zram-generator.conf": "# d\n[zram0]\nzram-size = ram / 2\n"}, nil,
			[]string{"zram /dev/zram0 /usr/lib/systemd/zram-generator.conf:2"}},
		{"zram-generator, hidden and added to", map[string]string{
			"/etc/systemd/zram-generator.conf":          "# none\n",
			"/usr/lib/systemd/zram-generator.conf":      "[zram0]\n",
			"/etc/systemd/zram-generator.conf.d/1.conf": "[zram1]\n",
		}, nil, []string{"zram /dev/zram1 /etc/systemd/zram-generator.conf.d/1.conf:1"}},
		{"zram-tools", map[string]string{"/etc/default/zramswap": "ALGO=lz4\n"}, nil, []string{"zram /dev/zram0 /etc/default/zramswap"}},
		{"cloud-init", map[string]string{"/etc/cloud/cloud.cfg.d/10.cfg": "users: []\nswap:\n  filename: /swap.img\n  size: auto\nother:\n  filename: /x\n"}, nil,
			[]string{"cloud-init /swap.img /etc/cloud/cloud.cfg.d/10.cfg:2"}},
		{"resume of the initial RAM disk", map[string]string{"/etc/initramfs-tools/conf.d/resume": "RESUME=UUID=a-b\n"},
			map[string]string{"/dev/disk/by-uuid/a-b": "../../sda2"}, []string{"resume /dev/sda2 /etc/initramfs-tools/conf.d/resume:1"}},
		{"resume switched off", map[string]string{"/etc/initramfs-tools/conf.d/resume": "RESUME=none\n"}, nil, nil},
		{"nothing", nil, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fake.New()
			for path, content := range c.files {
				h.PutFile(path, content)
			}
			for path, target := range c.links {
				h.PutLink(path, target)
			}
			list, err := operation(h).Sources(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range list {
				got = append(got, string(s.Kind)+" "+s.Device+" "+s.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestResumeOnTheCommandLine(t *testing.T) {
	h := fake.New()
	h.SetProc("/proc/cmdline", "quiet resume=/dev/sda2\n")
	list, err := operation(h).Sources(t.Context())
	if err != nil || len(list) != 1 || list[0].Kind != swap.Resume || list[0].Device != "/dev/sda2" {
		t.Errorf("%v, %v", list, err)
	}
}

func TestOriginInWords(t *testing.T) {
	list := []swap.Source{
		{Device: "/dev/zram0", File: "/usr/lib/systemd/zram-generator.conf", Line: 1, Kind: swap.Zram},
		{Device: "/swap.img", File: "/etc/fstab", Line: 7, Kind: swap.Fstab},
	}
	for device, want := range map[string]string{
		"/swap.img":  "from /etc/fstab:7",
		"/dev/zram0": "from /usr/lib/systemd/zram-generator.conf:1",
		"/dev/sda2":  "source unknown",
	} {
		if got := swap.Origin(list, device); got != want {
			t.Errorf("%s: %q", device, got)
		}
	}
}
