package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/exit"
	"github.com/hostprofile/hostprofile/config/profiles"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

// usage turns what the command tree refuses into a failure that says where to look.
func usage(command string, err error) error {
	var f *exit.Failure
	if errors.As(err, &f) {
		return f
	}
	return exit.BadUsage(err.Error(), "see: "+command+" --help")
}

// mistypedCommand names the command that was probably meant.
func mistypedCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			known = append(known, c.Name())
		}
	}
	message := fmt.Sprintf("unknown command %q", args[0])
	if near, ok := profile.Nearest(args[0], known); ok {
		message += ": did you mean " + near + "?"
	}
	return exit.BadUsage(message, "see: "+cmd.CommandPath()+" --help")
}

// noArguments refuses what stands behind a command, and says which flag was probably meant.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	fix := "see: " + cmd.CommandPath() + " --help"
	if cmd.Flags().Lookup("profile") != nil {
		if _, known := profiles.Get(args[0]); known {
			fix = "a profile is named with --profile " + args[0]
		} else if strings.ContainsAny(args[0], "./") {
			fix = "a file is named with -f " + args[0]
		}
	}
	return exit.BadUsage(fmt.Sprintf("%s takes no argument, and %q is one", cmd.Name(), args[0]), fix)
}

// oneProfile takes the name of a profile, or none.
func oneProfile(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return exit.BadUsage(fmt.Sprintf("%s shows one profile, and %d are named", cmd.Name(), len(args)), "name one of them")
	}
	return nil
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
		return exit.BadUsage(err.Error()+": did you mean --"+near+"?", "see: "+cmd.CommandPath()+" --help")
	}
	return err
}

// guessFormat finds the output format on a command line that could not be read as a
// whole: whoever asked for JSON gets JSON, also about a mistake in the command line.
func guessFormat(args []string) document.Format {
	for i, a := range args {
		var value string
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
