package layout_test

import (
	"strings"
	"testing"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
)

func TestATableAlignsItsColumns(t *testing.T) {
	table := layout.Table{Caps: []int{8, 1, 10, 20}}
	table.Row(layout.Text("sysctls"), layout.Text("~"), layout.Text("short"), layout.Text("0 -> 1"))
	table.Row(layout.Text(""), layout.Text("+"), layout.Text("longer"), layout.Text("1 -> 2"))
	table.Row(layout.Text(""), layout.Text("="), layout.Text("longer-than-its-cap"), layout.Text("2 -> 3"))
	table.Note(2, layout.Text("a note"))
	want := "sysctls  ~ short   0 -> 1\n" +
		"         + longer  1 -> 2\n" +
		"         = longer-than-its-cap  2 -> 3\n" +
		"             a note\n"
	if got := table.Render(false); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNoLineIsWiderThanATerminal(t *testing.T) {
	table := layout.Table{Caps: []int{8, 40, 30, 20}}
	words := strings.Repeat("word ", 60)
	for _, cells := range [][]string{
		{"changed", strings.Repeat("k", 60), strings.Repeat("v", 60), "profile"},
		{"changed", "key", words, words},
		{"changed", strings.Repeat("k", 40), strings.Repeat("v", 40), "a-long-profile-name"},
	} {
		var row []layout.Cell
		for _, c := range cells {
			row = append(row, layout.Text(c))
		}
		table.Row(row...)
		table.Note(1, layout.Text(words))
	}
	for line := range strings.Lines(table.Render(false)) {
		if n := len(strings.TrimRight(line, "\n")); n > layout.Width {
			t.Errorf("%d columns: %s", n, line)
		}
		if strings.HasSuffix(line, " \n") {
			t.Errorf("blanks at the end of %q", line)
		}
	}
}

func TestColoursTakeNoRoom(t *testing.T) {
	render := func(p layout.Painter) string {
		table := layout.Table{Caps: []int{8, 20}}
		table.Row(layout.Cell{Text: "FAILED", Colour: layout.Bad}, layout.Text("key"))
		return table.Render(p)
	}
	plain := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(render(true))
	if render(true) == render(false) || plain != render(false) {
		t.Errorf("%q and %q", render(true), render(false))
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		text string
		most int
		want string
	}{
		{"", 10, ""},
		{"one two three", 7, "one two|three"},
		{"averylongword that does not fit", 8, "averylongword|that|does not|fit"},
		{"  many   blanks ", 20, "many blanks"},
	} {
		if got := strings.Join(layout.Wrap(tt.text, tt.most), "|"); got != tt.want {
			t.Errorf("%q in %d: %q, want %q", tt.text, tt.most, got, tt.want)
		}
	}
}

func TestTextIsMadeHarmless(t *testing.T) {
	if got := layout.Printable("a\x1b[31mb\nc\td\u202e"); strings.ContainsAny(got, "\x1b\n\t\u202e") {
		t.Errorf("%q", got)
	}
}
