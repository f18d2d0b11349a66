package swap

import (
	"path"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/paths"
)

// parseFstab returns the swap lines of an fstab that take effect by themselves.
// cloud-init marks the lines that it adds.
func parseFstab(content string) []Source {
	var list []Source
	number := 0
	for line := range strings.Lines(content) {
		number++
		f := strings.Fields(line)
		if len(f) < 3 || f[0][0] == '#' || f[2] != "swap" {
			continue
		}
		var options []string
		if len(f) > 3 {
			options = strings.Split(f[3], ",")
		}
		if slices.Contains(options, "noauto") {
			continue
		}
		list = append(list, Source{Device: unescape(f[0]), File: paths.Fstab, Line: number, Kind: Fstab})
	}
	return list
}

// generatorLate is where systemd's generators put units of the lowest precedence, such
// as those for swap partitions that it finds by their type.
const generatorLate = "/run/systemd/generator.late"

// units lists the swap units. A unit hides those of the same name in later
// directories; one without content, such as a link to /dev/null, is masked. Units made
// from fstab are left out: fstab is what to change.
func (o *Operation) units() []Source {
	var list []Source
	seen := make(map[string]bool)
	for _, dir := range append(slices.Clone(paths.UnitDirs), generatorLate) {
		o.each(dir, ".swap", func(file, content string) {
			if name := path.Base(file); !seen[name] {
				seen[name] = true
				list = append(list, parseUnit(file, content)...)
			}
		})
	}
	return list
}

func parseUnit(file, content string) []Source {
	var s Source
	number := 0
	for line := range strings.Lines(content) {
		number++
		key, value, _ := strings.Cut(line, "=")
		switch strings.TrimSpace(key) {
		case "SourcePath":
			if strings.TrimSpace(value) == paths.Fstab {
				return nil
			}
		case "What":
			s = Source{Device: strings.TrimSpace(value), File: file, Line: number, Kind: Unit}
		}
	}
	if s.File == "" {
		return nil
	}
	return []Source{s}
}

// zram lists the devices of zram-generator: one a section. The first configuration
// hides the others, and each drop-in adds to it.
func (o *Operation) zram() []Source {
	var list []Source
	found := false
	for _, file := range paths.ZramConfigs {
		content := o.read(file)
		if content != "" && !found {
			found = true
			list = append(list, parseZram(file, content)...)
		}
		o.each(file+".d", ".conf", func(file, content string) {
			list = append(list, parseZram(file, content)...)
		})
	}
	return append(list, o.zramSwap()...)
}

func parseZram(file, content string) []Source {
	var list []Source
	number := 0
	for line := range strings.Lines(content) {
		number++
		name, ok := strings.CutPrefix(strings.TrimSpace(line), "[zram")
		if name, end := strings.CutSuffix(name, "]"); ok && end {
			list = append(list, Source{Device: "/dev/zram" + name, File: file, Line: number, Kind: Zram})
		}
	}
	return list
}

// zramSwap is Debian's zram-tools: a service and a file of defaults.
func (o *Operation) zramSwap() []Source {
	const defaults = "/etc/default/zramswap"
	if _, err := o.m.Files.Lstat(defaults); err != nil {
		return nil
	}
	return []Source{{Device: "/dev/zram0", File: defaults, Kind: Zram}}
}

// cloudInit lists the "swap:" settings of cloud-init's configuration, which makes a
// swap file and a line in fstab.
func (o *Operation) cloudInit() []Source {
	var list []Source
	find := func(file, content string) { list = append(list, parseCloud(file, content)...) }
	find("/etc/cloud/cloud.cfg", o.read("/etc/cloud/cloud.cfg"))
	o.each("/etc/cloud/cloud.cfg.d", ".cfg", find)
	return list
}

// parseCloud finds "swap:" at the beginning of a line and the file that it names.
func parseCloud(file, content string) []Source {
	var list []Source
	inside, number := false, 0
	for line := range strings.Lines(content) {
		number++
		text := strings.TrimSpace(line)
		switch {
		case text == "" || text[0] == '#':
		case strings.HasPrefix(line, "swap:"):
			inside = true
			list = append(list, Source{File: file, Line: number, Kind: CloudInit})
		case line[0] != ' ' && line[0] != '\t':
			inside = false
		case inside && strings.HasPrefix(text, "filename:"):
			device := strings.Trim(strings.TrimSpace(strings.TrimPrefix(text, "filename:")), `"'`)
			list[len(list)-1].Device = device
		}
	}
	return list
}

// resume lists what the initial RAM disk and the kernel's command line name as the
// place to wake up from, which Debian's initramfs also takes into use.
func (o *Operation) resume() []Source {
	var list []Source
	o.each("/etc/initramfs-tools/conf.d", "", func(file, content string) {
		number := 0
		for line := range strings.Lines(content) {
			number++
			if device, ok := strings.CutPrefix(strings.TrimSpace(line), "RESUME="); ok && device != "none" {
				list = append(list, Source{Device: device, File: file, Line: number, Kind: Resume})
			}
		}
	})
	if content, err := o.m.Proc.ReadProc("/proc/cmdline"); err == nil {
		for _, word := range strings.Fields(string(content)) {
			if device, ok := strings.CutPrefix(word, "resume="); ok {
				list = append(list, Source{Device: device, File: "/proc/cmdline", Kind: Resume})
			}
		}
	}
	return list
}
