package layout

import "strings"

// line is one line in the making.
type line struct {
	painter Painter
	out     *strings.Builder
	at      int // characters so far
	open    bool
}

// place puts a cell at a column, or after what is there already. A cell that does not
// fit goes on in the next lines, from the same column.
func (l *line) place(column int, c Cell) {
	text := Printable(c.Text)
	if start := l.start(column); start+width(text) <= Width {
		l.put(start, text, c.Colour)
		return
	}
	if l.start(column) > column {
		l.end() // a wider cell before it moved it out of its column
	}
	for i, part := range Wrap(text, max(Width-column, 24)) {
		if i > 0 {
			l.end()
		}
		l.put(l.start(fit(column, part)), part, c.Colour)
	}
}

// fit moves a word to the left that is too long for its column: better there than cut.
func fit(column int, word string) int { return min(column, max(Width-width(word), gap)) }

// start returns where a cell of the column can begin in this line.
func (l *line) start(column int) int {
	if l.open && l.at+1 > column {
		return l.at + gap
	}
	return column
}

func (l *line) put(start int, text string, c Colour) {
	l.out.WriteString(strings.Repeat(" ", start-l.at))
	l.out.WriteString(l.painter.Paint(c, text))
	l.at, l.open = start+width(text), true
}

func (l *line) end() {
	l.out.WriteByte('\n')
	l.at, l.open = 0, false
}

// Wrap breaks a text at blanks into lines of at most so many characters. A word that is
// longer gets a line of its own.
func Wrap(text string, most int) []string {
	var lines []string
	var now string
	for _, word := range strings.Fields(text) {
		switch {
		case now == "":
			now = word
		case width(now)+1+width(word) <= most:
			now += " " + word
		default:
			lines = append(lines, now)
			now = word
		}
	}
	if now != "" || lines == nil {
		lines = append(lines, now)
	}
	return lines
}

// Paragraph wraps a text to the width of a terminal; lines after the first are indented.
func Paragraph(text string, indent int) string {
	return strings.Join(Wrap(Printable(text), Width-indent), "\n"+strings.Repeat(" ", indent)) + "\n"
}

// Titled is a paragraph that begins with a coloured word: "error: ...".
func (p Painter) Titled(c Colour, word, text string) string {
	return p.Paint(c, word) + strings.TrimPrefix(Paragraph(word+": "+text, 2), word)
}
