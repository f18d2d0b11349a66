package item

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"unicode/utf8"
)

// binary marks content that is no text and therefore stands in base64: a ledger is
// text, and what was found must be given back byte for byte.
const binary = " base64"

// FileState returns the state of a regular file: a line with its permission bits in
// octal, then its content.
func FileState(mode fs.FileMode, content []byte) State {
	perm := fmt.Sprintf("%04o", mode.Perm())
	if !utf8.Valid(content) {
		return Text(perm + binary + "\n" + base64.StdEncoding.EncodeToString(content))
	}
	return Text(perm + "\n" + string(content))
}

// FileContent splits the state of a file that is there.
func (s State) FileContent() (mode fs.FileMode, content []byte, err error) {
	head, body, found := strings.Cut(s.text, "\n")
	head, coded := strings.CutSuffix(head, binary)
	perm, err := strconv.ParseUint(head, 8, 32)
	if err != nil || !found || perm > 0o777 {
		return 0, nil, fmt.Errorf("%.20q is no state of a file", s.String())
	}
	if content = []byte(body); coded {
		content, err = base64.StdEncoding.DecodeString(body)
	}
	return fs.FileMode(perm), content, err
}
