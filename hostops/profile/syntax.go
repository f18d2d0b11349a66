package profile

import (
	"strconv"
	"strings"
	"unicode"
)

// syntaxText takes apart what the YAML parser says: "yaml: line 3: did not find ...".
var syntaxText = pattern(`(?s)^yaml: (?:line ([0-9]+): )?(.*)$`)

// grammarText matches what the parser says about the order of things, as opposed to what
// its scanner says about characters.
var grammarText = pattern(`^did not find expected (<|node content|'-' indicator|key$|',' or)`)

// reportSyntax reports text that is not YAML. The parser knows the line at best.
func (d *document) reportSyntax(err error) {
	line, message := 1, err.Error()
	if m := syntaxText().FindStringSubmatch(message); m != nil {
		message = m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
		if grammarText().MatchString(message) {
			line++ // for these the parser counts from 0
		}
	}
	e := InputError{Reason: ReasonNotYAML, Line: min(d.first+line, d.last), Message: "this is not YAML: " + message}
	d.explain(&e, message)
	d.report(e)
}

var unknownAnchor = pattern(`^unknown anchor '(.*)' referenced$`)

// explain adds the place and the way out for the mistakes that people make most.
func (d *document) explain(e *InputError, message string) {
	if m := unknownAnchor().FindStringSubmatch(message); m != nil {
		d.point(e, func(line string) (int, int) { return strings.Index(line, "*"+m[1]), len(m[1]) + 1 })
		e.Message = "*" + m[1] + " stands for another part of the file in YAML"
		e.Hint = `quote what begins with a star: "*` + m[1] + `"`
		return
	}
	switch {
	case strings.Contains(message, "alphabetic or numeric character"):
		d.point(e, func(line string) (int, int) { return strings.Index(line, "*"), 1 })
		e.Hint = "quote what begins with a star or an ampersand"
	case strings.Contains(message, "control characters"):
		d.point(e, func(line string) (int, int) { return strings.IndexFunc(line, isControl), 1 })
		e.Hint = "remove the character"
	case strings.Contains(message, "mapping values are not allowed"):
		e.Hint = "quote text that holds a colon and a blank"
	case strings.Contains(message, "<document start>"):
		e.Hint = "begin another document with a line of ---"
	case strings.Contains(message, "',' or"):
		e.Hint = "close the bracket, or add the missing comma"
	case grammarText().MatchString(message):
		e.Hint = "check the indentation here and below"
	default:
		d.explainTab(e)
	}
}

// explainTab blames a tab in the indentation, if there is one: it makes the parser find
// fault with all sorts of things.
func (d *document) explainTab(e *InputError) {
	d.point(e, func(line string) (int, int) {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		at := strings.IndexByte(line[:indent], '\t')
		if at >= 0 {
			e.Hint = "indent with blanks; YAML does not allow tabs"
		}
		return at, 1
	})
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\r' }

// point puts an error at the first place of the document that find finds: it returns the
// offset in the line, -1 for none, and the width.
func (d *document) point(e *InputError, find func(line string) (at, width int)) {
	for i := d.first; i < d.last; i++ {
		line := string(d.file.lines[i])
		if at, width := find(line); at >= 0 {
			e.Line, e.Column, e.width = i+1, len([]rune(line[:at]))+1, width
			return
		}
	}
}
