package linux

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/hostprofile/hostprofile/hostops/machine"
)

// legacy is one family of the older tables: linux/netfilter_ipv4/ip_tables.h and its sister
// for IPv6, as 64-bit kernels lay them out.
type legacy struct {
	family        string
	names         string // a file that lists the tables that are in use
	domain, level int    // of the socket that is asked
	// An entry begins with what it matches, which differs. Behind that are where its target
	// and the next entry begin, as distances from its own beginning, of two bytes each.
	offsets, size int
}

var legacies = []legacy{
	{"ip", "/proc/net/ip_tables_names", unix.AF_INET, unix.IPPROTO_IP, 88, 112},
	{"ip6", "/proc/net/ip6_tables_names", unix.AF_INET6, unix.IPPROTO_IPV6, 140, 168},
}

// The two questions, the same for both families, and what is where in the answers.
const (
	getInfo    = 64 // IPT_SO_GET_INFO
	getEntries = 65 // IPT_SO_GET_ENTRIES

	tableName   = 32 // bytes, at the beginning of both
	infoEntries = 80 // size of all entries
	infoSize    = 84
	entriesSize = 32 // the same, in the other answer
	entriesHead = 40
)

// legacyChains asks for the tables that are in use only: the kernel would make another, and
// load its module.
func legacyChains(ctx context.Context) ([]machine.Chain, error) {
	var out []machine.Chain
	for i := range legacies {
		l := &legacies[i]
		names, err := os.ReadFile(l.names)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, table := range strings.Fields(string(names)) {
			chains, err := l.chains(ctx, table)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", l.family, table, err)
			}
			for _, name := range chains {
				out = append(out, machine.Chain{Legacy: true, Family: l.family, Table: table, Name: name})
			}
		}
	}
	return out, nil
}

// chains returns the names of a table's chains, but for those that the kernel itself made.
func (l *legacy) chains(ctx context.Context, table string) ([]string, error) {
	socket, err := unix.Socket(l.domain, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer shut(socket)
	for range dumpTries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var entries []byte
		if entries, err = l.entries(socket, table); err == nil {
			return l.parse(entries)
		}
		if !errors.Is(err, unix.EAGAIN) { // it was replaced between the two questions
			break
		}
	}
	return nil, err
}

func (l *legacy) entries(socket int, table string) ([]byte, error) {
	info := make([]byte, infoSize)
	copy(info[:tableName-1], table)
	if err := ask(socket, l.level, getInfo, info); err != nil {
		return nil, err
	}
	size := binary.NativeEndian.Uint32(info[infoEntries:])
	answer := make([]byte, entriesHead+int(size))
	copy(answer, info[:tableName])
	binary.NativeEndian.PutUint32(answer[entriesSize:], size)
	err := ask(socket, l.level, getEntries, answer)
	return answer[entriesHead:], err
}

// ask is getsockopt(2) with a question in the buffer for the answer.
func ask(socket, level, option int, buffer []byte) error {
	size := uint32(len(buffer))
	_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, uintptr(socket), uintptr(level), uintptr(option),
		uintptr(unsafe.Pointer(unsafe.SliceData(buffer))), uintptr(unsafe.Pointer(&size)), 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// A target: its size, its name, a revision. The one of this name begins a chain, whose own
// name follows; the last of them, of the same name, ends the table.
const (
	chainTarget = "ERROR"
	targetName  = 2
	targetSize  = 32
	chainName   = 30
)

// parse reads the entries of a table.
func (l *legacy) parse(entries []byte) ([]string, error) {
	var out []string
	for at := 0; at < len(entries); {
		entry := entries[at:]
		if len(entry) < l.size {
			return nil, fmt.Errorf("an entry of %d bytes: %w", len(entry), unix.EBADMSG)
		}
		target := int(binary.NativeEndian.Uint16(entry[l.offsets:]))
		next := int(binary.NativeEndian.Uint16(entry[l.offsets+2:]))
		if target < l.size || next < target+targetSize || next > len(entry) {
			return nil, fmt.Errorf("an entry with its target at %d, and the next at %d: %w", target, next, unix.EBADMSG)
		}
		if t := entry[target:next]; text(t[targetName:targetSize-1]) == chainTarget && len(t) >= targetSize+chainName {
			if name := text(t[targetSize : targetSize+chainName]); name != chainTarget {
				out = append(out, name)
			}
		}
		at += next
	}
	return out, nil
}
