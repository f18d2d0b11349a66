package sysctl_test

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

var (
	pairs    = flag.Int("pairs", 5000, "how many pairs of a name and a value the readers of sysctl.d are given")
	pairSeed = flag.Uint64("pairs.seed", 1, "which pairs")
)

// given are the two programs, each with a file to read.
var given = map[sysctl.Reader][]string{
	sysctl.Procps:  {"sysctl", "-q", "-p"},
	sysctl.Systemd: {"/usr/lib/systemd/systemd-sysctl"},
}

const (
	batch = 2000 // lines for one start of a program
	// unset is what a file of the stand-in for /proc/sys has before a program writes:
	// each of them writes at least as much.
	unset = "?"
)

// TestPairsAreReadAsTheReadersDo gives names and values made by chance to both real
// readers, as lines of all forms and as lines that we write. Their /proc/sys is a folder
// of plain files, which take everything and show which path was written, and what.
func TestPairsAreReadAsTheReadersDo(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the readers many times: not with -short")
	}
	if !inSandboxWith(t, fmt.Sprintf("-pairs=%d", *pairs), fmt.Sprintf("-pairs.seed=%d", *pairSeed)) {
		return
	}
	for r, argv := range given {
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.Skipf("this machine has no %s", r)
		}
	}
	d := &differential{t: t, r: rand.New(rand.NewPCG(*pairSeed, 2)), file: filepath.Join(t.TempDir(), "lines.conf")}
	for d.told = 0; d.told < *pairs && !t.Failed(); d.told += batch {
		foreign, own := d.foreignLines(), d.ownLines()
		for reader := range given {
			d.compare(reader, foreign)
			d.compare(reader, own)
		}
	}
	t.Logf("==> lines of sysctl.d, seed %d: %d pairs, of which %d were set, by %d readers", *pairSeed, d.told, d.set/len(given), len(given))
	if d.set < d.told/2 {
		t.Error("most pairs set nothing: that shows little")
	}
}

type differential struct {
	t         *testing.T
	r         *rand.Rand
	file      string
	told, set int
}

// lines are a file, and the paths of keys that its lines could mean.
type lines struct {
	text  string
	paths []string
}

var (
	pairDirs      = []string{"net/ipv4/conf", "net/ipv6/neigh", "net/core", "kernel", "vm", "fs/inotify", "dev/a_b", "net/mpls/conf"}
	pairLinks     = []string{"eth0", "eth0.100", "all", "default", "br-lan", "a.b.c", "bond0.4094", "wlan0@x", "veth-1_2", "a..b", "a:b", "e+f", "x~y", "p%d", "q!", "c,d", "$1", "(m)", "<n>", "^u|v`&", "0"}
	pairValues    = []string{"0", "1", "-1", "077", "0x1f", "4294967295", "-9223372036854775808", "cubic", "fq_codel", "|/bin/core %p %h", "a=b", "#1", ";", "\"x\"", "'", "1-3,7", "\\", "é", "=", "-", "\v", "\f", "\u00a0", "\u0085"}
	pairBlanks    = []string{"", "", " ", "  ", "\t", " \t "}
	pairSeparator = []string{" ", "  ", "\t", " \t"}
)

// path is the path of a key, whose last element no other line has.
func (d *differential) path(index int) string {
	p := pick(d.r, pairDirs)
	if strings.HasSuffix(p, "conf") || strings.HasSuffix(p, "neigh") || d.r.IntN(8) == 0 {
		p += "/" + pick(d.r, pairLinks)
	}
	attribute := "key" + strconv.Itoa(index)
	if d.r.IntN(10) == 0 {
		attribute += "." + pick(d.r, []string{"x", "y-z", "1"})
	}
	return p + "/" + attribute
}

func (d *differential) value() string {
	var v strings.Builder
	for i := range d.r.IntN(4) {
		if i > 0 {
			v.WriteString(pick(d.r, pairSeparator))
		}
		if d.r.IntN(2) == 0 {
			v.WriteString(strconv.Itoa(d.r.IntN(100000)))
		} else {
			v.WriteString(pick(d.r, pairValues))
		}
	}
	return v.String()
}

// foreignLines are lines as somebody else may write them: with dots or slashes first or
// in between, with a dash, with blanks.
func (d *differential) foreignLines() lines {
	var l lines
	var text strings.Builder
	for i := range batch / 2 {
		p := d.path(i)
		dotted := string(mustName(d.t, p))
		mixed := strings.Replace(dotted, ".", "/", 1+d.r.IntN(2))
		spelling := pick(d.r, []string{p, p, dotted, dotted, "/" + p, mixed, strings.ReplaceAll(p, "/", "."), strings.ToUpper(dotted)})
		blank := func() string { return pick(d.r, pairBlanks) }
		dash := pick(d.r, []string{"", "", "", "-", "-" + blank()})
		fmt.Fprintf(&text, "%s%s%s%s=%s%s%s%s", blank(), dash, spelling, blank(), blank(), d.value(), blank(), pick(d.r, []string{"\n", "\n", "\n", "\r\n", "\n\n", "\n# = \n"}))
		l.paths = append(l.paths, meanings(spelling)...)
	}
	l.text = text.String()
	return l
}

// meanings are all paths that a reader could take a spelling for, wrongly or not.
func meanings(spelling string) []string {
	bare := strings.TrimPrefix(spelling, "/")
	swapped := strings.Map(func(c rune) rune {
		switch c {
		case '.':
			return '/'
		case '/':
			return '.'
		}
		return c
	}, bare)
	return []string{bare, swapped, strings.ReplaceAll(bare, ".", "/")}
}

// ownLines are lines as we write them.
func (d *differential) ownLines() lines {
	var l lines
	states := make(map[item.Key]item.State)
	for i := range batch / 2 {
		p := d.path(i)
		n, err := sysctl.FromPath(p)
		if err != nil {
			p = fmt.Sprintf("net/core/key%d", i)
			n = mustName(d.t, p)
		}
		states[sysctl.Key(n)] = sysctl.Value(n, d.value())
		l.paths = append(l.paths, meanings(p)...)
	}
	_, text, err := sysctl.NewBootFile(realMachine()).Render(states, nil).FileContent()
	check(d.t, err)
	l.text = string(text)
	return l
}

// mustName is the name of a path, whether or not it is one that a profile may use.
func mustName(t *testing.T, path string) sysctl.Name {
	t.Helper()
	n, err := sysctl.FromPath(path)
	if err != nil && n == "" {
		t.Fatal(err)
	}
	return n
}

// compare lets a reader set the lines, and wants each path to have what we read out of
// them for this reader.
func (d *differential) compare(reader sysctl.Reader, l lines) {
	d.t.Helper()
	root := "/proc/sys"
	check(d.t, syscall.Mount("none", root, "tmpfs", 0, ""))
	defer func() { check(d.t, syscall.Unmount(root, 0)) }()
	for _, p := range l.paths {
		full := filepath.Join(root, p)
		check(d.t, os.MkdirAll(filepath.Dir(full), 0o755))
		check(d.t, os.WriteFile(full, []byte(unset), 0o644))
	}
	check(d.t, os.WriteFile(d.file, []byte(l.text), 0o644))
	argv := append(append([]string{}, given[reader]...), d.file)
	_ = exec.Command(argv[0], argv[1:]...).Run() // some lines are for nobody
	reading := sysctl.Read(reader, []sysctl.File{{Path: "/etc/sysctl.d/lines.conf", Content: l.text}})
	check(d.t, filepath.WalkDir(root, func(full string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return d.compareKey(reader, reading, l.text, strings.TrimPrefix(full, root+"/"))
	}))
}

func (d *differential) compareKey(reader sysctl.Reader, reading *sysctl.Reading, text, path string) error {
	written, err := os.ReadFile(filepath.Join("/proc/sys", path))
	if err != nil {
		return err
	}
	n, nameErr := sysctl.FromPath(path)
	line, said := reading.Deciding(sysctl.Key(n))
	said = said && nameErr == nil
	got := strings.TrimSuffix(string(written), "\n")
	if set := string(written) != unset; set {
		d.set++
		if !said || sysctl.Value(n, got) != line.State {
			d.t.Errorf("seed %d: %s sets %s to %q, and we read %q of it (%t)\n%s", *pairSeed, reader, path, got, line.State.Text(), said, about(text, path))
		}
	} else if said {
		d.t.Errorf("seed %d: %s does not set %s, and we read %q of it\n%s", *pairSeed, reader, path, line.State.Text(), about(text, path))
	}
	return nil
}

// about are the lines with the number of a key.
func about(text, path string) string {
	var out strings.Builder
	key := regexp.MustCompile(`key\d+`).FindString(strings.ToLower(path))
	for line := range strings.Lines(text) {
		if slices.Contains(regexp.MustCompile(`key\d+`).FindAllString(strings.ToLower(line), -1), key) {
			fmt.Fprintf(&out, "%q\n", line)
		}
	}
	return out.String()
}
