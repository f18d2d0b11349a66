package testbed

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
)

// guestPath is the PATH of programs in a host.
const guestPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// machineID makes an identity as /etc/machine-id holds it.
func machineID() string { return randomHex(16) }

// randomHex is n random bytes in hexadecimal digits.
func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// quote makes one argument for a POSIX shell of any text.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func quoteAll(argv []string) string {
	words := make([]string, len(argv))
	for i, arg := range argv {
		words[i] = quote(arg)
	}
	return strings.Join(words, " ")
}
