package command

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/layout"
)

// writeUsage writes how a command is used: commands in the order in which people need
// them, lines that fit a terminal. It is what cobra prints below the long text of a help.
func writeUsage(cmd *cobra.Command) error {
	var b strings.Builder
	use := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		use = cmd.CommandPath() + " COMMAND [flags]"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", use)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	writeCommands(&b, cmd)
	if cmd.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\nFlags:\n%s", cmd.LocalFlags().FlagUsagesWrapped(layout.Width))
	}
	if cmd.HasAvailableInheritedFlags() {
		fmt.Fprintf(&b, "\nFlags of all commands:\n%s", cmd.InheritedFlags().FlagUsagesWrapped(layout.Width))
	}
	if cmd.HasAvailableSubCommands() {
		of := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name())
		fmt.Fprintf(&b, "\nMore about one of them: %s help%s COMMAND\n", cmd.Root().Name(), of)
	}
	_, err := io.WriteString(cmd.OutOrStdout(), b.String())
	return err
}

func writeCommands(b *strings.Builder, cmd *cobra.Command) {
	for _, g := range cmd.Groups() {
		writeList(b, g.Title, cmd, func(c *cobra.Command) bool { return c.GroupID == g.ID && c.IsAvailableCommand() })
	}
	title := "More:"
	if len(cmd.Groups()) == 0 {
		title = "Commands:"
	}
	writeList(b, title, cmd, func(c *cobra.Command) bool {
		return c.GroupID == "" && (c.IsAvailableCommand() || c.Name() == "help")
	})
	writeList(b, "Topics:", cmd, (*cobra.Command).IsAdditionalHelpTopicCommand)
}

func writeList(b *strings.Builder, title string, cmd *cobra.Command, in func(*cobra.Command) bool) {
	t := layout.Table{Caps: []int{22, 70}, Floors: []int{12}}
	for _, c := range inOrder(cmd.Commands()) {
		if in(c) {
			t.Row(layout.Text("  "+c.Name()), layout.Text(c.Short))
		}
	}
	if !t.Empty() {
		fmt.Fprintf(b, "\n%s\n%s", title, t.Render(false))
	}
}

// inOrder sorts commands as people need them one after the other; others keep to the end.
func inOrder(commands []*cobra.Command) []*cobra.Command {
	order := []string{"check", "plan", "status", "node-ip", "up", "down", "validate", "profiles"}
	rank := func(c *cobra.Command) int {
		if i := slices.Index(order, c.Name()); i >= 0 {
			return i
		}
		return len(order)
	}
	sorted := slices.Clone(commands)
	slices.SortStableFunc(sorted, func(a, b *cobra.Command) int { return rank(a) - rank(b) })
	return sorted
}

// helpCommand is cobra's, which shows the help of the program to whoever mistypes a command.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		Long: "help shows the help of a command, or of a topic.",
		RunE: func(cmd *cobra.Command, args []string) error {
			of, unread, err := cmd.Root().Find(args)
			if err = cmp.Or(err, mistypedCommand(of, unread)); err != nil {
				return err
			}
			return of.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			var names []cobra.Completion
			if of, unread, err := cmd.Root().Find(args); err == nil && len(unread) == 0 {
				for _, c := range of.Commands() {
					if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
						names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
					}
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}
