package profile

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// document is one YAML document of a file, and the profile that it says.
type document struct {
	file        *file
	number      int // from 1
	first, last int // its lines in the file, from 0, the last one not included

	root     *yaml.Node
	profile  v1alpha1.HostProfile
	places   map[string]place // by path of the field
	unusable map[string]bool  // paths whose value is wrong, so that more complaints would be noise
	meant    map[string]bool  // paths that a misspelt field was probably meant to be
	mistakes int
	cursor   cursor
}

// cursor is where a document was last looked at.
type cursor struct {
	line, column int // as in a node
	offset       int // in the line, in bytes
}

// place is where a field is written.
type place struct {
	line, column, width int
	key                 *place // of its name, nil for an item of a list
}

var errSecondDocument = errors.New("did not find expected <document start>")

// parse makes nodes of the text. It is false when there is nothing to read in them.
func (d *document) parse() bool {
	text := bytes.Join(d.file.lines[d.first:d.last], []byte("\n"))
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var root, next yaml.Node
	if err := decoder.Decode(&root); err != nil {
		d.reportSyntax(err)
		return false
	}
	if err := decoder.Decode(&next); !errors.Is(err, io.EOF) {
		d.reportSyntax(cmp.Or(err, errSecondDocument))
		return false
	}
	d.root = root.Content[0]
	return true
}

// read makes a profile of the nodes and checks it. It is false when something is wrong.
func (d *document) read() bool {
	d.places = map[string]place{}
	d.unusable = map[string]bool{}
	d.meant = map[string]bool{}
	if !d.isHostProfile() {
		return false
	}
	d.fillProfile()
	d.validate()
	return d.mistakes == 0
}

// object names the profile in messages; it is empty while the name is not known.
func (d *document) object() string {
	if d.profile.Name == "" {
		return ""
	}
	return v1alpha1.Kind + "/" + d.profile.Name
}

// report adds a mistake of this document. One without a line gets the line of its field.
func (d *document) report(e InputError) {
	d.mistakes++
	e.Document = d.number
	e.Object = d.object()
	if e.Line == 0 {
		e = d.located(e)
	}
	d.file.report(e)
}

// reportNode adds a mistake at a node.
func (d *document) reportNode(node *yaml.Node, e InputError) {
	at := d.placeOf(node)
	e.Line, e.Column, e.width = at.line, at.column, at.width
	d.report(e)
}

// placeOf says where a node is. The width is what stands there, not what it means.
func (d *document) placeOf(node *yaml.Node) place {
	at := place{line: node.Line + d.first, column: node.Column, width: 1}
	if node.Kind != yaml.ScalarNode {
		return at
	}
	at.width = len([]rune(node.Value))
	if node.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		at.width += 2
	}
	return at
}

// from returns the line of a node from the node on. Nodes are visited in the order of the
// text, and a line may be as long as the file: so it goes on where it was last time.
func (d *document) from(node *yaml.Node) []byte {
	if node.Line < 1 || d.first+node.Line > d.last {
		return nil
	}
	line := d.file.lines[d.first+node.Line-1]
	if d.cursor.line != node.Line || d.cursor.column > node.Column {
		d.cursor = cursor{line: node.Line, column: 1}
	}
	for ; d.cursor.column < node.Column && d.cursor.offset < len(line); d.cursor.column++ {
		_, size := utf8.DecodeRune(line[d.cursor.offset:])
		d.cursor.offset += size
	}
	return line[d.cursor.offset:]
}

// located gives a mistake the place of its field, or of the nearest field around it.
func (d *document) located(e InputError) InputError {
	at, exact := d.places[e.Field]
	for path := e.Field; !exact && path != ""; {
		path = parent(path)
		at, exact = d.places[path]
		if exact && at.key != nil {
			at = *at.key // what is missing is missing below this name
		}
	}
	e.File, e.Document = d.file.name, d.number
	e.Line, e.Column, e.width = at.line, at.column, at.width
	e.source = d.file.line(at.line)
	return e
}

// parent returns the path of what holds a field: spec.sysctls[2] for spec.sysctls[2].name.
func parent(path string) string {
	last := "."
	if strings.HasSuffix(path, "]") {
		last = "["
	}
	return path[:max(0, strings.LastIndex(path, last))]
}

func child(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
