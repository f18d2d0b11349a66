package unit

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Split reads the value of ExecStart= as systemd does. What Quote never writes and what
// only systemd can resolve, specifiers and variables, is an error.
func Split(value string) ([]string, error) {
	var argv []string
	rest := trim(value)
	for rest != "" {
		raw, tail, err := cutWord(rest)
		if err != nil {
			return nil, err
		}
		if raw == ";" {
			return nil, errors.New("it has more than one command")
		}
		word, err := unquote(raw)
		if err == nil {
			word, err = expand(word, len(argv) == 0)
		}
		if err != nil {
			return nil, err
		}
		argv = append(argv, word)
		rest = strings.TrimLeft(tail, " \t")
	}
	if len(argv) == 0 {
		return nil, errors.New("it is empty")
	}
	argv[0] = strings.TrimLeft(argv[0], "-+!:")
	if !strings.HasPrefix(argv[0], "/") {
		return nil, fmt.Errorf("its program %q is not an absolute path", argv[0])
	}
	return argv, nil
}

// trim takes away what systemd takes for blanks, which is less than Unicode does.
func trim(s string) string { return strings.Trim(s, " \t\n\r") }

// cutWord splits at the first blank outside of quotes.
func cutWord(s string) (word, rest string, err error) {
	var in byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case in != 0:
			if c == in {
				in = 0
			}
		case c == '"' || c == '\'':
			in = c
		case c == ' ' || c == '\t':
			return s[:i], s[i:], nil
		}
	}
	if in != 0 {
		return "", "", errors.New("a quote is not closed")
	}
	return s, "", nil
}

// unquote takes the quotes off a word and resolves its escapes.
func unquote(raw string) (string, error) {
	var b strings.Builder
	var in byte
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch {
		case c == '\\':
			n, err := unescape(&b, raw[i+1:])
			if err != nil {
				return "", err
			}
			i += n
		case in != 0 && c == in:
			in = 0
		case in == 0 && (c == '"' || c == '\''):
			in = c
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// simple are the escapes of one letter.
var simple = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', '\\': '\\', '"': '"', '\'': '\'', 's': ' ', ';': ';',
}

// numbered are the escapes by number: how many digits follow, and to which base.
var numbered = map[byte]struct{ skip, digits, base int }{
	'x': {1, 2, 16}, 'u': {1, 4, 16}, 'U': {1, 8, 16},
	'0': {0, 3, 8}, '1': {0, 3, 8}, '2': {0, 3, 8}, '3': {0, 3, 8},
}

// unescape writes what follows a backslash and returns how much of it it took.
func unescape(b *strings.Builder, s string) (int, error) {
	if s == "" {
		return 0, errors.New("it ends with a backslash")
	}
	if c, ok := simple[s[0]]; ok {
		b.WriteByte(c)
		return 1, nil
	}
	form, ok := numbered[s[0]]
	end := form.skip + form.digits
	if !ok || len(s) < end {
		return 0, fmt.Errorf("it has the unknown escape \\%.1s", s)
	}
	n, err := strconv.ParseUint(s[form.skip:end], form.base, 32)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("it has the wrong escape \\%s", s[:end])
	}
	if form.digits > 3 {
		b.WriteRune(rune(n))
	} else {
		b.WriteByte(byte(n))
	}
	return end, nil
}

// expand resolves doubled percent and dollar signs. systemd replaces no variable in the
// path of a program.
func expand(word string, program bool) (string, error) {
	var b strings.Builder
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c != '%' && (c != '$' || program) {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(word) || word[i] != c {
			return "", fmt.Errorf("what %q means, only systemd knows", word)
		}
		b.WriteByte(c)
	}
	return b.String(), nil
}
