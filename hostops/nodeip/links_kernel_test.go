package nodeip_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/machine/linux"
	"github.com/hostprofile/hostprofile/hostops/nodeip"
	"github.com/hostprofile/hostprofile/test/testbed"
)

// scene is a host that is made of real links by commands of iproute2, one a line. The
// words card, bridge and veth stand for several commands; see play.
type scene struct {
	name             string
	needs            string // kinds of links that not every kernel has
	commands         string
	dual             bool
	subnets, exclude []string
	want, reason     string
	verdicts         string
}

var scenes = []scene{
	{name: "1 plain", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\nroute add default via 192.0.2.1", want: "192.0.2.10"},
	{name: "2 the NAT card has the default route", commands: twoCards + "route add default via 198.51.100.1", want: "198.51.100.10", verdicts: "192.0.2.10 NoDefaultRoute"},
	{name: "3 subnets count before routes", commands: twoCards + "route add default via 198.51.100.1", subnets: []string{"192.0.2.0/24"}, want: "192.0.2.10"},
	{name: "4 no default route, one address", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0", want: "192.0.2.10"},
	{name: "5 no default route, two addresses", commands: twoCards, reason: "NodeIPAmbiguous"},
	{name: "6 only addresses that no other host can reach", commands: "card eth0\naddr add 169.254.7.7/16 dev eth0 scope link", reason: "NodeIPNotFound", verdicts: "169.254.7.7 Unreachable"},
	{name: "7 a bridge without a physical port", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\nbridge docker0\naddr add 203.0.113.1/24 dev docker0", want: "192.0.2.10", verdicts: "203.0.113.1 BridgeWithoutPort"},
	{name: "9 a bridge with the default route", commands: "card eth0\nbridge br0\nlink set eth0 master br0\naddr add 192.0.2.10/24 dev br0\nroute add default via 192.0.2.1", want: "192.0.2.10"},
	{name: "10 a bond", needs: "bond dummy", commands: "link add bond0 type bond miimon 10\nlink add eth0 type dummy\nlink add eth1 type dummy\nlink set eth0 master bond0\nlink set eth1 master bond0\nlink set bond0 up\naddr add 192.0.2.10/24 dev bond0\nroute add default via 192.0.2.1", want: "192.0.2.10"},
	{name: "11 the lowest metric", commands: twoCards + "route add default via 192.0.2.1 metric 100\nroute add default via 198.51.100.1 metric 101", want: "192.0.2.10", verdicts: "198.51.100.10 HigherMetric"},
	{name: "14 equal metrics", commands: twoCards + "route add default via 192.0.2.1 metric 100\nroute append default via 198.51.100.1 metric 100", reason: "NodeIPAmbiguous"},
	{name: "15 a VIP of one address", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\naddr add 192.0.2.2/32 dev eth0\nroute add default via 192.0.2.1", want: "192.0.2.10", verdicts: "192.0.2.2 HostPrefix"},
	{name: "16 a VIP that became the primary address", commands: "card eth0\naddr add 192.0.2.2/24 dev eth0\naddr add 192.0.2.10/24 dev eth0\nroute add default via 192.0.2.1", want: "192.0.2.2", verdicts: "192.0.2.10 Secondary"},
	{name: "17 the VIP is excluded", commands: "card eth0\naddr add 192.0.2.2/24 dev eth0\naddr add 192.0.2.10/24 dev eth0\nroute add default via 192.0.2.1", exclude: []string{"192.0.2.2"}, want: "192.0.2.10"},
	{name: "19 a /32 alone, as clouds have it", commands: "card eth0\naddr add 192.0.2.10/32 dev eth0\nroute add default via 192.0.2.1 dev eth0 onlink", want: "192.0.2.10"},
	{name: "20 the source of a multipath route, on lo", commands: "link set lo up\naddr add 192.0.2.10/32 dev lo\ncard eth0\naddr add 198.51.100.21/31 dev eth0\ncard eth1\naddr add 198.51.100.23/31 dev eth1\n" +
		"route add default src 192.0.2.10 nexthop via 198.51.100.20 nexthop via 198.51.100.22", want: "192.0.2.10"},
	{name: "24 a VPN without a default route", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\ntuntap add tailscale0 mode tun\nlink set tailscale0 up\naddr add 100.64.0.5/32 dev tailscale0", want: "192.0.2.10"},
	{name: "24 a VPN of the kernel", needs: "wireguard", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\nlink add wg0 type wireguard\nlink set wg0 up\naddr add 100.64.0.5/32 dev wg0", want: "192.0.2.10", verdicts: "100.64.0.5 NoHardwareAddress"},
	{name: "26 a dummy with the default route", needs: "dummy", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\nlink add dummy0 type dummy\nlink set dummy0 up\naddr add 203.0.113.254/24 dev dummy0\nroute add default dev dummy0 metric 1000", want: "192.0.2.10", verdicts: "203.0.113.254 VirtualLink"},
	{name: "28 IPv6 is never added", commands: pairOfAddresses, want: "192.0.2.10", verdicts: "2001:db8::10 OtherFamily"},
	{name: "29 a pair", commands: pairOfAddresses, dual: true, want: "192.0.2.10,2001:db8::10"},
	{name: "31 half a pair is none", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\nroute add default via 192.0.2.1", dual: true, reason: "NodeIPNotFound"},
	{name: "32 DHCPv6 before SLAAC, temporary never", commands: pairOfAddresses + "\naddr del 2001:db8::10/64 dev eth0\naddr add 2001:db8::10/128 dev eth0 nodad\naddr add 2001:db8::5054/64 dev eth0 mngtmpaddr nodad", dual: true,
		want: "192.0.2.10,2001:db8::10", verdicts: "2001:db8::5054 Autoconfigured"},
	{name: "33 a deprecated VIP", commands: pairOfAddresses + "\naddr add 2001:db8::2/128 dev eth0 nodad preferred_lft 0", dual: true, want: "192.0.2.10,2001:db8::10", verdicts: "2001:db8::2 Deprecated"},
	{name: "35 global before unique local", commands: pairOfAddresses + "\naddr add fd00:db8::10/64 dev eth0 nodad", dual: true, want: "192.0.2.10,2001:db8::10", verdicts: "fd00:db8::10 UniqueLocal"},
	{name: "37 IPv6 alone", commands: "card eth0\naddr add 2001:db8::10/64 dev eth0 nodad\n-6 route add default via 2001:db8::1", reason: "NodeIPNotFound"},
	{name: "38 a default route of another table is none", commands: "card priv0\ncard pub0\naddr add 192.0.2.10/24 dev priv0\naddr add 203.0.113.20/32 dev pub0\nroute add default via 192.0.2.1\nroute add default dev pub0 table 100\nrule add from 203.0.113.20 table 100", want: "192.0.2.10"},
	{name: "a member of a VRF", needs: "vrf", commands: "card eth0\naddr add 192.0.2.10/24 dev eth0\nlink add red type vrf table 10\nlink set red up\ncard eth1\nlink set eth1 master red\naddr add 198.51.100.10/24 dev eth1", want: "192.0.2.10", verdicts: "198.51.100.10 InVRF"},
	{name: "50 the link is down", commands: "card eth0\nlink set eth0 down", reason: "NodeIPNotFound"},
	{name: "no carrier", commands: "veth eth0 far0\nlink set eth0 up\naddr add 192.0.2.10/24 dev eth0", reason: "NodeIPNotFound", verdicts: "192.0.2.10 NoCarrier"},
	{name: "blackhole and unreachable default routes are none", commands: twoCards + "route add unreachable default metric 1\nroute add blackhole default metric 2\nroute add default via 198.51.100.1 metric 9", want: "198.51.100.10"},
}

const (
	twoCards        = "card eth0\ncard eth1\naddr add 192.0.2.10/24 dev eth0\naddr add 198.51.100.10/24 dev eth1\n"
	pairOfAddresses = "card eth0\naddr add 192.0.2.10/24 dev eth0\naddr add 2001:db8::10/64 dev eth0 nodad\nroute add default via 192.0.2.1\n-6 route add default via 2001:db8::1"
)

func TestRealLinks(t *testing.T) {
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return
	}
	for _, sc := range scenes {
		t.Run(sc.name, func(t *testing.T) {
			network := freshNetwork(t)
			sc.play(t)
			wish := &nodeip.Wish{DualStack: sc.dual, Subnets: prefixes(t, sc.subnets...), Exclude: prefixes(t, sc.exclude...)}
			var s machine.Snapshot
			var d nodeip.Detection
			var err error
			// A bond takes a moment to notice its cables.
			must(t, nodeip.Wait(t.Context(), &machine.Machine{Network: network, Clock: realClock{}}, 3*time.Second, func(now *machine.Snapshot) bool {
				s = *now
				d, err = nodeip.Detect(now, wish)
				return d.String() == sc.want
			}))
			if d.String() != sc.want || reasonOf(err) != sc.reason {
				t.Errorf("%q (%v), want %q %s\n%+v", d.String(), err, sc.want, sc.reason, s)
			}
			for _, pair := range strings.Split(sc.verdicts, ",") {
				if ip, want, ok := strings.Cut(pair, " "); ok && string(verdictOf(&d, ip)) != want {
					t.Errorf("%s is %s, want %s", ip, verdictOf(&d, ip), want)
				}
			}
		})
	}
}

// TestAnAddressIsWaitedFor: IPv4 comes after IPv6, and the kernel's message wakes.
func TestAnAddressIsWaitedFor(t *testing.T) {
	if testbed.Reexec(t, testbed.SandboxOptions{}) {
		return
	}
	network := freshNetwork(t)
	(&scene{commands: "card eth0\naddr add 2001:db8::10/64 dev eth0 nodad\n-6 route add default via 2001:db8::1"}).play(t)
	m := &machine.Machine{Network: network, Clock: realClock{}}
	began := time.Now()
	late := exec.Command("sh", "-c", "sleep 0.3; ip addr add 192.0.2.10/24 dev eth0; ip route add default via 192.0.2.1")
	must(t, late.Start())
	got := ""
	must(t, nodeip.Wait(t.Context(), m, 30*time.Second, func(s *machine.Snapshot) bool {
		d, _ := nodeip.Detect(s, &nodeip.Wish{DualStack: true})
		got = d.String()
		return got != ""
	}))
	must(t, late.Wait())
	if took := time.Since(began); got != "192.0.2.10,2001:db8::10" || took > 1500*time.Millisecond {
		t.Errorf("%q after %v", got, took)
	}
}

// realClock is the machine's.
type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }
func (realClock) Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// freshNetwork gives the test's thread a network namespace of its own. The thread ends
// with the test, and with it the namespace.
func freshNetwork(t *testing.T) machine.Network {
	t.Helper()
	runtime.LockOSThread()
	must(t, unix.Unshare(unix.CLONE_NEWNET))
	m, err := linux.New("/")
	must(t, err)
	return m.Network
}

// play runs the commands of a scene.
func (sc *scene) play(t *testing.T) {
	t.Helper()
	for _, kind := range strings.Fields(sc.needs) {
		probe := []string{"link", "add", "probe0", "type", kind}
		if kind == "vrf" {
			probe = append(probe, "table", "99")
		}
		if out, err := exec.Command("ip", probe...).CombinedOutput(); err != nil {
			t.Skipf("needs a kernel with %s links, as that of the VM: %s", kind, out)
		}
		must(t, exec.Command("ip", "link", "del", "probe0").Run())
	}
	for line := range strings.Lines(sc.commands) {
		words := strings.Fields(line)
		switch words[0] {
		case "card":
			makeCard(t, words[1])
		case "bridge":
			ip(t, "link", "add", words[1], "type", "bridge")
			ip(t, "link", "set", words[1], "up")
		case "veth":
			ip(t, "link", "add", words[1], "type", "veth", "peer", "name", words[2])
		default:
			ip(t, words...)
		}
	}
}

// makeCard makes a link that looks like a network card: with a hardware address, a
// carrier and no kind that the rules pass over.
func makeCard(t *testing.T, name string) {
	t.Helper()
	ip(t, "link", "add", name, "type", "ifb")
	ip(t, "link", "set", name, "up")
}

func ip(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestInAVM plays all scenes on a kernel that has every kind of link.
func TestInAVM(t *testing.T) {
	if os.Getenv(inside) != "" {
		t.Skip("is in the VM")
	}
	vm := testbed.StartVM(t, testbed.VMOptions{})
	const remote = "/srv/nodeip.test"
	must(t, vm.Push(t.Context(), testBinary(t), remote, 0o755))
	result, err := vm.Run(t.Context(), "env", inside+"=1", remote, "-test.v", "-test.run=RealLinks|WaitedFor", "-test.timeout=5m")
	must(t, err)
	t.Logf("in the VM:\n%s%s", testbed.Failures(result.Stdout), result.Stderr)
	if result.ExitCode != 0 {
		t.Fatalf("exit status %d", result.ExitCode)
	}
	if strings.Contains(result.Stdout, "--- SKIP") || !strings.Contains(result.Stdout, "--- PASS: TestRealLinks") {
		t.Error("not every scene was played")
	}
}

const inside = "HOSTPROFILE_NODEIP_VM"

// testBinary builds this package's tests for a machine without libraries.
func testBinary(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "nodeip.test")
	build := exec.Command("go", "test", "-c", "-o", bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}
