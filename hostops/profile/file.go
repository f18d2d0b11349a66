package profile

import (
	"bytes"
	"unicode/utf8"
)

// maxErrors is how many mistakes of one file are collected. Who has more has one mistake
// that looks like many.
const maxErrors = 200

// longestShown is the longest line of a file that is shown with a mistake, in bytes.
const longestShown = 4096

// file is one input file, and what is wrong with it.
type file struct {
	name  string
	lines [][]byte
	errs  InputErrors
}

// report adds a mistake, with the line it is in.
func (f *file) report(e InputError) {
	if f.isFull() {
		return
	}
	if len(f.errs) == maxErrors {
		e = InputError{Reason: e.Reason, Line: e.Line, Column: e.Column, Message: "there are more errors than are shown", Hint: "correct the others first"}
	}
	e.File = f.name
	e.BadValue = cut(e.BadValue)
	e.source = f.line(e.Line)
	f.errs = append(f.errs, e)
}

func (f *file) isFull() bool { return len(f.errs) > maxErrors }

// line returns a line of the file, unless it is too long to be shown.
func (f *file) line(number int) string {
	if number < 1 || number > len(f.lines) || len(f.lines[number-1]) > longestShown {
		return ""
	}
	return string(bytes.TrimRight(f.lines[number-1], "\r"))
}

// documents cuts the file at its --- lines, so that a document which cannot be parsed
// does not hide what is wrong with the others. Nothing but such a line starts a document
// in YAML: at the beginning of a line, --- is allowed in no text.
func (f *file) documents() []*document {
	var docs []*document
	start := 0
	for i, line := range f.lines {
		if i > 0 && isDocumentMark(line) {
			docs = f.appendDocument(docs, start, i)
			start = i
		}
	}
	return f.appendDocument(docs, start, len(f.lines))
}

func (f *file) appendDocument(docs []*document, from, to int) []*document {
	if onlyComments(f.lines[from:to]) {
		return docs
	}
	return append(docs, &document{file: f, number: len(docs) + 1, first: from, last: to})
}

func isDocumentMark(line []byte) bool {
	rest, found := bytes.CutPrefix(line, []byte("---"))
	return found && (len(rest) == 0 || bytes.IndexByte([]byte(" \t\r"), rest[0]) >= 0)
}

func onlyComments(lines [][]byte) bool {
	for i, line := range lines {
		if i == 0 && isDocumentMark(line) {
			line = line[len("---"):]
		}
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' && string(line) != "..." {
			return false
		}
	}
	return true
}

func isText(text []byte) bool { return utf8.Valid(text) && bytes.IndexByte(text, 0) < 0 }

// hasOddLineBreak tells whether there is a line break that YAML knows and most editors do
// not: a lone CR, NEL, or the line and paragraph separators of Unicode. With one of them,
// nobody sees the lines that the parser counts.
func hasOddLineBreak(text []byte) bool {
	return bytes.ContainsAny(text, "\u0085\u2028\u2029") || bytes.Count(text, []byte("\r")) != bytes.Count(text, []byte("\r\n"))
}

// cut keeps a quoted value short.
func cut(text string) string {
	const most = 128
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "..."
}
