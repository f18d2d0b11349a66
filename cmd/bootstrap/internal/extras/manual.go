package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/command"
)

// writeManual writes a page for each command and each topic of the help.
func writeManual(version, folder string) error {
	root := command.Tree()
	root.DisableAutoGenTag = true
	prepare(root)
	header := doc.GenManHeader{Section: "1", Source: "bootstrap " + version, Manual: "HostProfile"}
	return doc.GenManTree(root, &header, folder)
}

// prepare makes a command and those below it ready to be written: a topic counts as a
// command, and what is indented in a text stays as it is.
func prepare(c *cobra.Command) {
	if c.IsAdditionalHelpTopicCommand() {
		c.Run = func(*cobra.Command, []string) {}
		c.DisableFlagsInUseLine = true
	}
	c.Long = literal(c.Long)
	for _, below := range c.Commands() {
		prepare(below)
	}
}

// literal marks the lines that are indented as text that is not filled, for markdown.
func literal(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, " ") {
			lines[i] = "    " + line
		}
	}
	return strings.Join(lines, "\n")
}
