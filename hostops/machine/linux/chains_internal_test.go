package linux

import (
	"encoding/binary"
	"testing"
)

// entry is one entry of a table whose target is of the given kind.
func (l *legacy) entry(target string, rest string) []byte {
	b := make([]byte, l.size+targetSize, l.size+targetSize+32)
	copy(b[l.size+targetName:], target)
	if rest != "" {
		b = append(b, append([]byte(rest), make([]byte, 32-len(rest))...)...)
	}
	binary.NativeEndian.PutUint16(b[l.offsets:], uint16(l.size))
	binary.NativeEndian.PutUint16(b[l.offsets+2:], uint16(len(b)))
	return b
}

// What a kernel answers is read whole or refused, and never leads beyond its end.
func FuzzLegacyTables(f *testing.F) {
	for i := range legacies {
		l := &legacies[i]
		table := append(l.entry("", ""), l.entry(chainTarget, "KUBE-FIREWALL")...)
		table = append(table, l.entry(chainTarget, chainTarget)...)
		f.Add(i == 1, table)
		f.Add(i == 1, table[:len(table)-1])
		if names, err := l.parse(table); err != nil || len(names) != 1 || names[0] != "KUBE-FIREWALL" {
			f.Errorf("%s: %q, %v", l.family, names, err)
		}
	}
	f.Fuzz(func(t *testing.T, v6 bool, entries []byte) {
		l := &legacies[0]
		if v6 {
			l = &legacies[1]
		}
		names, err := l.parse(entries)
		if err == nil && len(names) > len(entries)/l.size {
			t.Errorf("%d names in %d bytes", len(names), len(entries))
		}
	})
}

// A message about a chain is read or refused.
func FuzzChainMessages(f *testing.F) {
	f.Add([]byte{2, 0, 0, 0, 8, 0, 1, 0, 'n', 'a', 't', 0, 6, 0, 3, 0, 'X', 0, 0, 0})
	f.Add([]byte{2, 0, 0})
	f.Fuzz(func(t *testing.T, message []byte) {
		if c, err := parseChain(message); err == nil && len(c.Table)+len(c.Name) > len(message) {
			t.Errorf("%+v", c)
		}
	})
}
