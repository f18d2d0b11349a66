package engine_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/item"
	"github.com/hostprofile/hostprofile/hostops/ledger"
	"github.com/hostprofile/hostprofile/hostops/machine/fake"
	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/sysctl"
)

// modelKey is a sysctl that the model plays with. What we wish and what others write are
// mostly different values, so that a value tells where it comes from.
type modelKey struct {
	name    string
	compare item.Compare
	wishes  []string
	foreign []string
	boot    []string // kernel defaults and admin files
}

var modelKeys = []modelKey{
	{"vm.swappiness", item.Exact, []string{"1", "2", "3", "60"}, []string{"3", "40", "41"}, []string{"60", "61", "2"}},
	{"vm.max_map_count", item.Exact, []string{"11", "12"}, []string{"20", "21", "11"}, []string{"30", "31"}},
	{"fs.inotify.max_user_instances", item.AtLeast, []string{"100", "200"}, []string{"50", "150", "250"}, []string{"128", "300"}},
	{"vm.dirty_bytes", item.Exact, []string{"10000", "20000"}, []string{"30000"}, []string{"40000"}},
	{"vm.dirty_ratio", item.Exact, []string{"5"}, []string{"7"}, []string{"20", "21"}},
	{"net.ipv4.ip_forward", item.Exact, []string{"0", "1"}, []string{"0", "1"}, []string{"0", "1"}},
	{"net.ipv4.conf.all.accept_redirects", item.Exact, []string{"0", "1"}, []string{"0", "1"}, []string{"0", "1"}},
	{"net.ipv4.conf.eth0.forwarding", item.Exact, []string{"0", "1"}, []string{"0", "1"}, []string{"0", "1"}},
	{"net.ipv4.conf.default.rp_filter", item.Exact, []string{"0", "1"}, []string{"0", "2"}, []string{"0", "2"}},
	{"net.ipv4.conf.eth0.rp_filter", item.Exact, []string{"1"}, []string{"0", "2"}, nil},
	{"net.ipv4.conf.lxc*.rp_filter", item.Exact, []string{"0", "1"}, nil, nil},
	{"net.bridge.bridge-nf-call-iptables", item.Exact, []string{"0", "1"}, []string{"0", "1"}, nil},
}

// modelLinks come and go.
var modelLinks = []string{"lxc1", "lxc2"}

// event is one thing that happens. It is data, so that a history can be replayed and
// shortened.
type event struct {
	do    string
	key   int
	value string
	n     int
}

func (e event) String() string {
	switch e.do {
	case "wish", "foreign", "default", "admin", "race", "hide", "fail":
		return fmt.Sprintf("%s %s=%q n=%d", e.do, modelKeys[e.key].name, e.value, e.n)
	default:
		return fmt.Sprintf("%s %s n=%d", e.do, e.value, e.n)
	}
}

// modelWorld is a world that knows what must hold of it.
type modelWorld struct {
	*world
	stable  bool                       // nothing but us, links and reboots: giving back is exact
	touched map[string]bool            // keys that others wrote in this boot
	loose   map[string]bool            // keys of which only "a value of others" is promised
	never   map[string]bool            // keys of which nothing is promised any more
	seen    map[string]map[string]bool // values that the host had without us
	edited  bool                       // somebody edited our boot file
	faulty  bool                       // writes of some key fail
}

func newModelWorld(stable bool) *modelWorld {
	w := &modelWorld{
		world: newWorld(
			fake.Bare(),
			fake.Sysctl("vm/swappiness", "60"), fake.Sysctl("vm/max_map_count", "30"),
			fake.Sysctl("fs/inotify/max_user_instances", "128"),
			fake.Sysctl("vm/dirty_bytes", "0"), fake.Sysctl("vm/dirty_ratio", "20"),
			fake.Sysctl("net/ipv4/ip_forward", "0"),
			fake.Sysctl("net/ipv4/conf/all/accept_redirects", "1"), fake.Sysctl("net/ipv4/conf/default/accept_redirects", "1"),
			fake.Sysctl("net/ipv4/conf/default/forwarding", "0"),
			fake.Sysctl("net/ipv4/conf/all/rp_filter", "0"), fake.Sysctl("net/ipv4/conf/default/rp_filter", "0"),
			fake.Link("eth0"), fake.Link("eth1"),
			fake.HasModule(fake.Module{Name: "br_netfilter", Keys: map[string]string{"net/bridge/bridge-nf-call-iptables": "1"}}),
		),
		stable:  stable,
		touched: map[string]bool{}, loose: map[string]bool{}, never: map[string]bool{}, seen: map[string]map[string]bool{},
	}
	w.see()
	return w
}

// see remembers every value that the host has without us.
func (w *modelWorld) see() {
	for path, v := range w.twin.Sysctls() {
		if w.seen[path] == nil {
			w.seen[path] = map[string]bool{}
		}
		w.seen[path][v] = true
	}
}

// dependants returns the paths whose values can follow from a write to a key.
func (w *modelWorld) dependants(key string) []string {
	path := name(key).Path()
	out := []string{path}
	for p := range w.host.Sysctls() {
		switch {
		case path == "net/ipv4/ip_forward" && (strings.HasSuffix(p, "/forwarding") || p == "net/ipv4/conf/all/accept_redirects"),
			path == "net/ipv4/conf/default/rp_filter" && strings.HasSuffix(p, "/rp_filter") && p != "net/ipv4/conf/all/rp_filter",
			strings.HasPrefix(path, "vm/dirty_") && strings.HasPrefix(p, "vm/dirty_"):
			out = append(out, p)
		}
	}
	return out
}

func mark(set map[string]bool, paths []string) {
	for _, p := range paths {
		set[p] = true
	}
}

// apply lets one event happen. It returns what went wrong.
func (w *modelWorld) apply(e event) string {
	problem := ""
	switch e.do {
	case "run", "kill", "cut":
		w.forgotten()
	}
	switch e.do {
	case "run":
		problem = w.runs()
	case "kill":
		w.runKilled(e.n)
	case "cut":
		w.runKilled(e.n)
		w.afterBoot((*world).powerCut)
	case "reboot":
		w.afterBoot((*world).reboot)
	case "wish":
		w.wishAs(modelKeys[e.key].name, e.value, modelKeys[e.key].compare)
	case "module":
		w.module("br_netfilter", e.n == 1)
	case "link":
		w.link(e.value)
	default:
		problem = w.disturb(e)
	}
	w.see()
	return problem
}

// forgotten: giving everything back drops the record of a key that is not there, as that of
// a module that was taken out. One that is back later in this boot, with the value that it
// had, is nothing that a kernel does.
func (w *modelWorld) forgotten() {
	if len(w.wishes) > 0 {
		return
	}
	for _, k := range modelKeys {
		path := name(k.name).Path()
		if _, there := w.host.Sysctl(path); !there && !strings.Contains(k.name, "*") {
			mark(w.never, w.dependants(k.name))
		}
	}
}

// disturb is what others do. It never happens in a stable world.
func (w *modelWorld) disturb(e event) string {
	k := modelKeys[e.key]
	switch e.do {
	case "foreign":
		w.write(k.name, e.value)
	case "race":
		return w.race(e)
	case "default":
		w.kernelDefault(k.name, e.value)
	case "admin":
		w.admin([]string{before, after}[e.n%2], k.name, e.value)
	case "reader":
		w.both(func(h *fake.Host) { h.SetReader([]fake.Reader{fake.ReadAll, nil}[e.n%2]) })
	case "clamp":
		w.both(func(h *fake.Host) { h.SetClamp("vm/swappiness", int64(e.n)) })
		w.never["vm/swappiness"] = true
	case "hide":
		w.both(func(h *fake.Host) {
			if e.n == 1 {
				h.Hide(name(k.name).Path())
			} else {
				h.Show(name(k.name).Path())
			}
		})
	case "fail":
		var err error
		if e.n == 1 {
			err, w.faulty = fake.ErrDead, true
		}
		w.host.FailSysctlWrite(name(k.name).Path(), err)
	case "edit":
		if _, ok := w.host.File(paths.SysctlDropIn); ok {
			w.edited = true
			w.host.PutFile(paths.SysctlDropIn, "vm.swappiness = 42\n")
		}
	}
	return ""
}

func (w *modelWorld) write(key, value string) {
	w.foreign(key, value)
	paths := w.dependants(key)
	mark(w.touched, paths)
	follows := strings.HasPrefix(key, "net.ipv4.conf.")
	if follows || len(paths) > 1 || slices.Contains(oursEver(key), value) || w.known(key) {
		mark(w.loose, paths) // repaired, or not to be told from ours, or others follow it
	}
	if key == "net.ipv4.conf.default.rp_filter" && w.known(key) {
		mark(w.never, paths[1:]) // an interface made under our value keeps it, as if set by hand
	}
}

// known reports whether a key is wished or recorded.
func (w *modelWorld) known(key string) bool {
	k := sysctl.Key(name(key))
	if _, wished := w.wishes[k]; wished || w.ledger == nil {
		return wished
	}
	e, _ := w.ledger.Entry(k)
	return e != nil
}

func oursEver(key string) []string {
	for _, k := range modelKeys {
		if k.name == key {
			return k.wishes
		}
	}
	return nil
}

// race is a run during which somebody else writes: the kernel has no compare-and-swap.
func (w *modelWorld) race(e event) string {
	ticks := 0
	k := modelKeys[e.key]
	w.host.OnStep(func(int) {
		if ticks++; ticks == e.n {
			w.foreign(k.name, e.value)
		}
	})
	paths := w.dependants(k.name)
	mark(w.touched, paths)
	mark(w.never, paths)
	problem := w.runs()
	w.host.OnStep(nil)
	return problem
}

// link makes an interface, or takes it away. One of the same name in a later boot is not to
// be told from the one of before, whose value is recorded as somebody's own.
func (w *modelWorld) link(n string) {
	has := func(p string) bool { return strings.Contains(p, "/"+n+"/") && (!w.never[p] || !w.guarded(p)) }
	for _, m := range []map[string]bool{w.touched, w.loose, w.never} {
		for p := range m {
			if has(p) {
				delete(m, p)
			}
		}
	}
	if _, ok := w.host.Sysctl("net/ipv4/conf/" + n + "/rp_filter"); ok {
		w.both(func(h *fake.Host) { h.RemoveLink(n) })
		return
	}
	w.both(func(h *fake.Host) { h.AddLink(n) })
	w.listedLinks(n)
	// The interface takes over what is default now, which may be ours.
	if v, _ := w.host.Sysctl("net/ipv4/conf/default/rp_filter"); v != w.twinValue("net/ipv4/conf/default/rp_filter") {
		w.loose["net/ipv4/conf/"+n+"/rp_filter"] = true
	}
}

func (w *modelWorld) twinValue(path string) string {
	v, _ := w.twin.Sysctl(path)
	return v
}

// listedLinks: a link that is made while our file lists a pattern has our value from
// the start, and nobody can know which it would have had.
func (w *modelWorld) listedLinks(names ...string) {
	text, _ := w.host.File(paths.SysctlDropIn)
	if strings.Contains(text, "lxc*") {
		for _, n := range names {
			w.never["net/ipv4/conf/"+n+"/rp_filter"] = true
		}
	}
}

// guarded reports whether a value that nobody wishes is recorded as somebody's own. It may
// be one of ours that an earlier boot's file left, and then it is kept as theirs is. What the
// host has recorded counts: a run that died may have written more than it knew of.
func (w *modelWorld) guarded(path string) bool {
	k := sysctl.Key(name(strings.ReplaceAll(path, "/", ".")))
	led, err := ledger.Open(w.host.Machine().Files, ledger.Options{})
	if _, wished := w.wishes[k]; wished || err != nil {
		return false
	}
	e, _ := led.Entry(k)
	return e != nil
}

// afterBoot boots the host and works out what is promised in this boot.
func (w *modelWorld) afterBoot(boot func(*world)) {
	never := w.never
	w.touched, w.loose, w.never = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for p := range never {
		if p == "vm/swappiness" || w.guarded(p) {
			w.never[p] = true
		}
	}
	content, listed := w.host.File(paths.SysctlDropIn)
	boot(w.world)
	if !listed || w.stable {
		return
	}
	lines := sysctl.NewBootFile(w.host.Machine()).Lines(item.FileState(0o644, []byte(content)))
	for k := range lines {
		mark(w.loose, w.dependants(k.Name()))
	}
}
