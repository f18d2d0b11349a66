package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
)

// topics are help texts that belong to no single command.
func topics() []*cobra.Command {
	return []*cobra.Command{
		{Use: "exit-codes", Short: "What the exit codes mean", Long: exitCodes()},
		{Use: "output", Short: "What -o json and -o yaml write", Long: outputTopic},
	}
}

func exitCodes() string {
	var b strings.Builder
	b.WriteString("The exit codes of all commands. They never change their meaning.\n")
	for _, m := range exit.Meanings() {
		fmt.Fprintf(&b, "\n%4d  %s", m.Code, strings.ReplaceAll(m.Text, "\n", "\n      "))
	}
	return b.String()
}

const outputTopic = `With -o json or -o yaml a command writes exactly one document to its standard output,
also when it fails, and nothing else. Progress and questions go to the standard error.

  apiVersion  cli.hostprofile.io/v1; fields are added within a version, never changed
  kind        Report, CheckReport, ProfileList, Version; Error if nothing was done
  command     plan, up, status, ...; 'up --dry-run' is plan
  host        name of the host; absent if none was looked at
  result      Converged: all is right. Changed: something changed, or with plan would.
              Failed: something failed or does not hold. Refused: nothing was done.
  exitCode    see: bootstrap help exit-codes
  summary     counts; of node-ip the address, and what the rules make of each
  items       one for each setting: key, outcome, have, want, compare, before, profile,
              reason, severity, source {file, line}, message, fix. A value that is null is
              known not to be there; one that is absent is not known. Those of check have
              id, outcome, required, mendedByUp, reason, message, fix, source.
  warnings    what a person should know
  errors      what failed; for bad input with file, line, column and field`
