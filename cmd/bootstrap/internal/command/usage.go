package command

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// usage turns what the command tree refuses into a failure that says where to look.
func usage(command string, err error) error {
	message, _, _ := strings.Cut(err.Error(), "\n\nDid you mean")
	hint := "see: " + command + " --help"
	if _, rest, found := strings.Cut(err.Error(), "Did you mean this?\n\t"); found {
		word, _, _ := strings.Cut(rest, "\n")
		message += ": did you mean " + word + "?"
	}
	return exit.BadUsage(message, hint)
}

// mistypedFlag names the flag that was probably meant.
func mistypedFlag(cmd *cobra.Command, err error) error {
	name, found := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !found {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, f.Name)
		}
	})
	if near, ok := profile.Nearest(name, known); ok {
		return exit.BadUsage(err.Error()+": did you mean --"+near+"?", "")
	}
	return err
}

// guessFormat finds the output format on a command line that could not be read as a
// whole: whoever asked for JSON gets JSON, also about a mistake in the command line.
func guessFormat(args []string) document.Format {
	for i, a := range args {
		value := ""
		switch {
		case a == "--":
			return document.Text
		case (a == "-o" || a == "--output") && i+1 < len(args):
			value = args[i+1]
		case strings.HasPrefix(a, "--output="):
			value = strings.TrimPrefix(a, "--output=")
		case strings.HasPrefix(a, "-o"):
			value = strings.TrimPrefix(strings.TrimPrefix(a, "-o"), "=")
		default:
			continue
		}
		if f, err := document.ParseFormat(value); err == nil {
			return f
		}
	}
	return document.Text
}
