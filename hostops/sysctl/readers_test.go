package sysctl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// readers are the two programs, as this machine has them.
var readers = map[sysctl.Reader][]string{
	sysctl.Procps:  {"sysctl", "--system"},
	sysctl.Systemd: {"/usr/lib/systemd/systemd-sysctl"},
}

// emptySysctlD puts empty folders over all that the readers read, and makes two links.
func emptySysctlD(t *testing.T) {
	t.Helper()
	for r, argv := range readers {
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.Skipf("this machine has no %s", r)
		}
	}
	for _, dir := range []string{"/run", "/usr/local/lib"} { // their folders may be missing
		hide(t, dir)
		check(t, os.Mkdir(filepath.Join(dir, "sysctl.d"), 0o755))
	}
	hide(t, "/etc/sysctl.d")
	hide(t, "/usr/lib/sysctl.d")
	own := filepath.Join("/run/sysctl.d", "sysctl.conf")
	check(t, os.WriteFile(own, nil, 0o644))
	if err := syscall.Mount(own, paths.SysctlConf, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("no %s to hide: %v", paths.SysctlConf, err)
	}
	check(t, os.Remove(own))
	run(t, "ip", "link", "add", "eth0", "type", "veth", "peer", "name", "eth0.100")
}

// hide puts an empty file system over a folder, in the sandbox only.
func hide(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("none", dir, "tmpfs", 0, ""); err != nil {
		t.Skipf("cannot hide %s: %v", dir, err)
	}
}

// boot runs a reader. Its exit status counts for nothing: both fail for keys that are
// not there.
func boot(r sysctl.Reader) { _ = exec.Command(readers[r][0], readers[r][1:]...).Run() }

// TestBothReadersSetWhatWeList: the file that we write, read by the real programs,
// gives the values that we set live.
func TestBothReadersSetWhatWeList(t *testing.T) {
	if !inSandbox(t) {
		return
	}
	emptySysctlD(t)
	wanted := map[sysctl.Name]string{
		"net.ipv4.ip_forward":                 "1",
		"net.ipv4.conf.all.accept_redirects":  "1", // which ip_forward takes away
		"net.ipv4.conf.default.rp_filter":     "2",
		"net.ipv4.conf.eth0.rp_filter":        "1",
		"net.ipv4.conf.eth0/100.rp_filter":    "2",
		"net.ipv4.tcp_rmem":                   "4096 87380 6291456",
		"net.ipv4.ip_local_reserved_ports":    "",
		"net.ipv4.ip_local_port_range":        "20000 60999",
		"net.ipv4.ping_group_range":           "0 2147483647",
		"net.ipv6.conf.all.forwarding":        "1",
		"net.ipv6.conf.eth0/100.accept_ra":    "2",
		"net.ipv6.conf.eth0/100.disable_ipv6": "0",
	}
	lines := make(map[item.Key]item.State)
	for n, v := range wanted {
		lines[sysctl.Key(n)] = sysctl.Value(n, v)
	}
	pattern := item.Want{Key: sysctl.Key("net.ipv4.conf.eth?.tag"), State: item.Text("7")}
	file := sysctl.NewBootFile(realMachine())
	_, content, err := file.Render(lines, []item.Want{pattern}).FileContent()
	check(t, err)
	check(t, os.WriteFile(paths.SysctlDropIn, content, 0o644))
	op := sysctl.New(realMachine(), "boot")
	for r := range readers {
		check(t, realMachine().Proc.WriteSysctl("net/ipv4/ip_local_reserved_ports", "80"))
		for _, k := range []string{"net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding", "net/ipv4/conf/eth0/tag"} {
			check(t, realMachine().Proc.WriteSysctl(k, "0"))
		}
		boot(r)
		for k, want := range lines {
			if got, err := op.Observe(t.Context(), k); got != want {
				t.Errorf("%s set %s to %s, we list %s (%v)", r, k, got, want, err)
			}
		}
		if got, _ := op.Observe(t.Context(), "sysctl/net.ipv4.conf.eth0.tag"); got != pattern.State {
			t.Errorf("%s left %s at %s", r, pattern.Key, got)
		}
		for k, want := range file.Lines(item.FileState(0o644, content)) {
			if got, err := op.Observe(t.Context(), k); got != want {
				t.Errorf("%s made %s %s, Lines says %s (%v)", r, k, got, want, err)
			}
		}
	}
}

// rounds is how many sets of files are made by chance, and luckySeeds are later ones
// that told a wrong reading from a right one.
const rounds = 120

var luckySeeds = []uint64{129, 174, 183, 380, 589, 741, 1560}

// untouched is a value that no generated line sets.
const untouched = "77"

var compared = []sysctl.Name{
	"net.ipv4.conf.all.tag", "net.ipv4.conf.default.tag", "net.ipv4.conf.eth0.tag", "net.ipv4.conf.eth0/100.tag",
	"net.ipv4.conf.lo.tag", "net.ipv4.conf.eth0.medium_id", "net.ipv4.ip_forward",
}

// TestReadingAgreesWithTheRealReaders compares Read with what the programs do, on files
// made by chance from everything that tells the grammars apart.
func TestReadingAgreesWithTheRealReaders(t *testing.T) {
	if !inSandbox(t) {
		return
	}
	emptySysctlD(t)
	seeds := luckySeeds
	for seed := range uint64(rounds) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		files := chanceFiles(rand.New(rand.NewPCG(seed, 1)))
		writeFiles(t, files)
		loaded, err := sysctl.LoadFiles(diskMachine())
		check(t, err)
		for r := range readers {
			compareReading(t, seed, r, loaded, files)
		}
	}
}

func compareReading(t *testing.T, seed uint64, r sysctl.Reader, loaded []sysctl.File, files map[string]string) {
	t.Helper()
	proc := realMachine().Proc
	for _, n := range compared {
		check(t, proc.WriteSysctl(n.Path(), untouched))
	}
	boot(r)
	reading := sysctl.Read(r, loaded)
	for _, n := range compared {
		want := untouched
		if l, ok := reading.Deciding(sysctl.Key(n)); ok {
			want = l.State.Text()
		}
		if got, _ := proc.ReadSysctl(n.Path()); got != want {
			t.Errorf("seed %d: %s made %s %s, Read says %s\n%s", seed, r, n, got, want, show(files))
		}
	}
}

func show(files map[string]string) string {
	var b strings.Builder
	for path, content := range files {
		fmt.Fprintf(&b, "== %s\n%s", path, content)
	}
	return b.String()
}

var (
	chanceDirs  = []string{"/etc/sysctl.d", "/etc/sysctl.d", "/run/sysctl.d", "/usr/local/lib/sysctl.d", "/usr/lib/sysctl.d"}
	chanceNames = []string{"10-a.conf", "20.conf", "50-b.conf", "99-sysctl.conf", "zz.conf", ".hidden.conf", "x.txt", "Z.conf"}
	chanceKeys  = []string{
		"net.ipv4.conf.eth0.tag", "net/ipv4/conf/eth0/tag", "/net/ipv4/conf/eth0/tag", "net.ipv4.conf.all.tag",
		"net.ipv4.conf.eth0/100.tag", "net/ipv4/conf/eth0.100/tag", "net.ipv4.conf.eth0.100.tag",
		"net.ipv4.conf.*.tag", "net.ipv4.conf.eth*.tag", "net.ipv4.conf.eth?.tag", "net/ipv4/conf/eth0.*/tag", "net.ipv4.conf.[ed]*.tag",
		"net.ipv4.*.eth0.tag", "net.ipv4.conf.eth0.medium_id", "net.ipv4.ip_forward", "net.ipv4.conf.all.forwarding", "net.ipv4.ip_forw*",
	}
	chanceForms = []string{
		"%s = %d\n", "%s=%d\n", "  %s\t= %d  \n", "-%s = %d\n", "- %s = %d\n", "-%s\n", "#%s = %d\n", "; %s = %d\n", "%s = %d\r\n", "%s %d\n", "\n%s = %d\n",
	}
)

func chanceFiles(r *rand.Rand) map[string]string {
	files := make(map[string]string)
	for range 1 + r.IntN(5) {
		path := filepath.Join(pick(r, chanceDirs), pick(r, chanceNames))
		if r.IntN(8) == 0 {
			path = paths.SysctlConf
		}
		var b strings.Builder
		for range r.IntN(5) {
			form := pick(r, chanceForms)
			if strings.Contains(form, "%d") {
				fmt.Fprintf(&b, form, pick(r, chanceKeys), 1+r.IntN(9))
			} else {
				fmt.Fprintf(&b, form, pick(r, chanceKeys))
			}
		}
		files[path] = b.String()
	}
	return files
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for _, dir := range chanceDirs {
		entries, err := os.ReadDir(dir)
		check(t, err)
		for _, e := range entries {
			check(t, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	check(t, os.WriteFile(paths.SysctlConf, nil, 0o644))
	for path, content := range files {
		check(t, os.WriteFile(path, []byte(content), 0o644))
	}
}
