package profile

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// syntaxText takes apart what the YAML parser says: "yaml: line 3: did not find ...".
var syntaxText = regexp.MustCompile(`(?s)^yaml: (?:line ([0-9]+): )?(.*)$`)

// reportSyntax reports text that is not YAML. The parser knows the line at best.
func (d *document) reportSyntax(err error) {
	line, message := 1, err.Error()
	if m := syntaxText.FindStringSubmatch(message); m != nil {
		message = m[2]
		if n, err := strconv.Atoi(m[1]); err == nil {
			line = n
		}
	}
	e := InputError{Reason: ReasonNotYAML, Line: min(d.first+line, d.last), Message: "this is not YAML: " + message}
	d.explain(&e, message)
	d.report(e)
}

var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// explain adds the place and the way out for the mistakes that people make most.
func (d *document) explain(e *InputError, message string) {
	if m := unknownAnchor.FindStringSubmatch(message); m != nil {
		d.point(e, "*"+m[1])
		e.Message = "*" + m[1] + " stands for another part of the file in YAML"
		e.Hint = `quote what begins with a star: "*` + m[1] + `"`
		return
	}
	if strings.Contains(message, "alphabetic or numeric character") {
		d.point(e, "*")
		e.Hint = "quote what begins with a star or an ampersand"
		return
	}
	if line := d.tabbedLine(); line > 0 {
		e.Line, e.Column, e.width = line, 1, 1
		e.Hint = "indent with blanks; YAML does not allow tabs"
	}
}

// point puts an error at the first place where the document holds a text.
func (d *document) point(e *InputError, text string) {
	for i := d.first; i < d.last; i++ {
		if column := bytes.Index(d.file.lines[i], []byte(text)); column >= 0 {
			e.Line, e.Column, e.width = i+1, len([]rune(string(d.file.lines[i][:column])))+1, len([]rune(text))
			return
		}
	}
}

// tabbedLine returns the first line that is indented with a tab, or 0.
func (d *document) tabbedLine() int {
	for i := d.first; i < d.last; i++ {
		indent := len(d.file.lines[i]) - len(bytes.TrimLeft(d.file.lines[i], " \t"))
		if bytes.IndexByte(d.file.lines[i][:indent], '\t') >= 0 {
			return i + 1
		}
	}
	return 0
}
