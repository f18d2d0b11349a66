package unit

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote writes a command line as the value of ExecStart=. The first argument is the
// absolute path of a program. Control characters have no form that every version of
// systemd reads, and text that is not UTF-8 none at all: both are refused.
func Quote(argv []string) (string, error) {
	if len(argv) == 0 {
		return "", errors.New("a command line without a program")
	}
	if err := checkProgram(argv[0]); err != nil {
		return "", err
	}
	words := []string{strings.ReplaceAll(quoteBytes(argv[0]), "%", "%%")}
	for i, arg := range argv[1:] {
		if err := checkText(arg); err != nil {
			return "", fmt.Errorf("argument %d: %w", i+1, err)
		}
		words = append(words, quote(arg))
	}
	return strings.Join(words, " "), nil
}

// checkProgram refuses paths that some versions of systemd do not take, in any form.
func checkProgram(name string) error {
	if err := checkText(name); err != nil {
		return fmt.Errorf("the program: %w", err)
	}
	if !path.IsAbs(name) || path.Clean(name) != name || name == "/" {
		return fmt.Errorf("the program %q is not the absolute path of a file", name)
	}
	if strings.ContainsAny(name, `"'\$`) {
		return fmt.Errorf("the program %q: systemd takes no quotes, backslashes and dollar signs in a program's path", name)
	}
	return nil
}

func checkText(s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("%q is not UTF-8", s)
	}
	if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
		return fmt.Errorf("%q has a control character", s)
	}
	return nil
}

// quote writes one argument. systemd splits and unescapes first, then replaces specifiers
// and at last variables.
func quote(arg string) string {
	if arg == "" {
		return `""`
	}
	return strings.NewReplacer("%", "%%", "$", "$$").Replace(quoteBytes(arg))
}

// quoteBytes escapes what systemd splits at or unescapes. Old versions take no quotes
// around a program, so that none are written at all; and a semicolon that stands alone
// would begin another command.
func quoteBytes(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if strings.IndexByte(" \"'\\;#", c) >= 0 {
			fmt.Fprintf(&b, `\x%02x`, c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
