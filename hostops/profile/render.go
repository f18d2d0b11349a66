package profile

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much of a line of the file is shown, and how much of it may stand before the
// mistake.
const (
	shownWidth  = 100
	shownBefore = 70
)

// WriteText writes the mistakes for people: each with the line of the file and a caret
// below what is wrong, and at the end how many there are. It takes for granted that
// nothing was done yet, and says so.
func (errs InputErrors) WriteText(w io.Writer) error {
	var text strings.Builder
	for _, e := range errs {
		e.writeText(&text)
	}
	text.WriteString(errs.summary())
	_, err := io.WriteString(w, text.String())
	return err
}

func (e InputError) writeText(w *strings.Builder) {
	if e.source == "" {
		fmt.Fprintln(w, e.Error())
		return
	}
	line, before, width := e.excerpt()
	fmt.Fprintln(w, e.headline())
	fmt.Fprintf(w, "%5d | %s\n", e.Line, line)
	mark := printable(e.Hint)
	if e.Column > 0 {
		mark = strings.TrimRight(strings.Repeat(" ", before)+strings.Repeat("^", width)+" "+mark, " ")
	}
	if mark != "" {
		fmt.Fprintf(w, "%5s | %s\n", "", mark)
	}
}

// excerpt returns the part of the line that shows the mistake, how many characters stand
// before the mistake, and how many to underline.
func (e InputError) excerpt() (line string, before, width int) {
	runes := []rune(printable(e.source))
	before = min(max(0, e.Column-1), len(runes))
	if cut := before - shownBefore; cut > 0 {
		runes, before = runes[cut:], shownBefore
		copy(runes, []rune("..."))
	}
	if len(runes) > shownWidth {
		runes = append(runes[:shownWidth-3:shownWidth-3], []rune("...")...)
	}
	width = max(1, min(e.width, len(runes)-before))
	return strings.TrimRight(string(runes), " "), before, width
}

func (errs InputErrors) summary() string {
	files := map[string]bool{}
	for _, e := range errs {
		files[e.File] = true
	}
	count := plural(len(errs), "error")
	if len(files) == 1 && errs[0].File != "" {
		return fmt.Sprintf("%s: %s. Nothing was changed.\n", displayName(errs[0].File), count)
	}
	if len(files) > 1 {
		count += " in " + plural(len(files), "file")
	}
	return count + ". Nothing was changed.\n"
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// printable replaces everything that could move the cursor or change the colour of a
// terminal. The number of characters stays the same.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsPrint(r):
			return r
		}
		return utf8.RuneError
	}, text)
}
