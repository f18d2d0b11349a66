package firewalld

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hostprofile/hostprofile/hostops/machine"
	"github.com/hostprofile/hostprofile/hostops/paths"
)

// Uplinks returns the interfaces that have a default route. Tables that cannot be read
// have none: a kernel without IPv6 has no such file.
func Uplinks(m *machine.Machine) []string {
	var out []string
	if table, err := m.Proc.ReadProc(paths.IPv4Routes); err == nil {
		out = parseRoutes(string(table))
	}
	if table, err := m.Proc.ReadProc(paths.IPv6Routes); err == nil {
		out = append(out, parseRoutes6(string(table))...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// parseRoutes reads /proc/net/route: interface, destination, gateway, flags, ..., mask.
func parseRoutes(table string) []string {
	var out []string
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) > 7 && f[1] == "00000000" && f[7] == "00000000" {
			out = append(out, f[0])
		}
	}
	return out
}

const (
	routeUp     = 0x0001 // RTF_UP
	routeReject = 0x0200 // RTF_REJECT: the kernel's own answer to whatever has no route
)

// parseRoutes6 reads /proc/net/ipv6_route: destination and its length come first, the
// flags and the interface last.
func parseRoutes6(table string) []string {
	var out []string
	for line := range strings.Lines(table) {
		f := strings.Fields(line)
		if len(f) < 10 || strings.Trim(f[0], "0") != "" || f[1] != "00" {
			continue
		}
		flags, err := strconv.ParseUint(f[8], 16, 32)
		if err == nil && flags&routeUp != 0 && flags&routeReject == 0 && f[9] != "lo" {
			out = append(out, f[9])
		}
	}
	return out
}
