// Command reasons prints docs/reasons.md: every reason that a condition or an item can
// give, with what it means and what to do, from the table that the programs use.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

const introduction = `# Reasons, and what to do about each

A reason is one word that says why something is as it is. It is the same word in the
conditions of a Node and of a HostProfileStatus, in the exceptions of a HostProfileStatus,
and in what bootstrap prints, as text or as JSON.

NODE stands for the name of the node and KEY for the key of the item.

This page is generated from the table in api/v1alpha1: make generate
`

// sections are the severities in the order of the page, each with what it says.
var sections = []struct {
	severity v1alpha1.Severity
	title    string
}{
	{v1alpha1.SeverityError, "Errors: something that is wanted does not hold"},
	{v1alpha1.SeverityWarning, "Warnings: it holds now and may not later, or nobody requires it"},
	{v1alpha1.SeverityState, "States that somebody asked for"},
	{v1alpha1.SeverityFine, "Fine"},
}

func main() {
	if err := write(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "reasons:", err)
		os.Exit(1)
	}
}

func write(w io.Writer) error {
	var page strings.Builder
	page.WriteString(introduction)
	for _, s := range sections {
		fmt.Fprintf(&page, "\n## %s\n\n| reason | what it means | what to do |\n|---|---|---|\n", s.title)
		for _, info := range v1alpha1.Reasons() {
			if info.Severity == s.severity {
				fmt.Fprintf(&page, "| %s | %s | %s |\n", info.Reason, info.Meaning, next(info.Next))
			}
		}
	}
	_, err := io.WriteString(w, page.String())
	return err
}

// next is a cell; a bar would end it.
func next(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
