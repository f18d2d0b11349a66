package layout

import "strings"

// Width is how wide a line may be.
const Width = 94

const gap = 2

// Table is rows of cells in columns. A column is as wide as its widest cell, but no wider
// than its cap; a wider cell moves the ones after it, and what does not fit into the line
// goes on in the next one, below the column where it began.
type Table struct {
	// Caps are the columns: the widest that each may get. Cells after the last one
	// belong to it.
	Caps []int
	// Floors are the least widths of the columns; absent ones are 0.
	Floors []int
	rows   []row
}

type row struct {
	cells []Cell
	note  bool // a line below a row
}

// Row adds a row.
func (t *Table) Row(cells ...Cell) { t.rows = append(t.rows, row{cells: cells}) }

// Note adds a line below the last row, which begins where its column begins and takes no
// part in the widths.
func (t *Table) Note(column int, text Cell) {
	cells := make([]Cell, column+1)
	cells[column] = text
	t.rows = append(t.rows, row{cells: cells, note: true})
}

// Empty reports whether the table has no rows.
func (t *Table) Empty() bool { return len(t.rows) == 0 }

// Render returns the rows as lines.
func (t *Table) Render(p Painter) string {
	starts := t.starts()
	var b strings.Builder
	for _, r := range t.rows {
		l := line{painter: p, out: &b}
		for i, c := range r.cells {
			if c.Text == "" {
				continue
			}
			at := starts[min(i, len(starts)-1)]
			if r.note {
				at += gap
			}
			l.place(at, c)
		}
		l.end()
	}
	return b.String()
}

// starts returns where each column begins.
func (t *Table) starts() []int {
	widths := make([]int, len(t.Caps))
	copy(widths, t.Floors)
	for _, r := range t.rows {
		if r.note {
			continue
		}
		for i, c := range r.cells {
			if i < len(widths) && width(c.Text) <= t.Caps[i] {
				widths[i] = max(widths[i], width(c.Text))
			}
		}
	}
	starts := make([]int, len(t.Caps))
	for i := 1; i < len(starts); i++ {
		starts[i] = starts[i-1]
		if w := widths[i-1]; w > 0 {
			starts[i] += w + gap
			if w == 1 {
				starts[i]-- // a mark stands close to what it marks
			}
		}
	}
	return starts
}
