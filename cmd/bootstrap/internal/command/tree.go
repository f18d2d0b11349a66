package command

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
)

// The groups of commands in the help.
const (
	look   = "look"
	change = "change"
	files  = "files"
)

const rootLong = `bootstrap prepares a Linux host for Kubernetes: kernel settings, kernel modules, swap
and the address of the node, as HostProfiles say. It records what it changes before it
changes it, and gives exactly that back. It needs no cluster and downloads nothing.

  check    Will this host do?               It looks at the kernel, swap and files.
  plan     What would change?               It compares profiles with the host.
  status   What is in force, does it hold?  It compares the record with the host.

None of the three writes anything. 'up' makes it so, and 'down' takes it back.`

const rootExample = `  bootstrap check --profile kubernetes
  bootstrap plan --profile kubernetes --profile cilium -f site.yaml
  sudo bootstrap up --profile kubernetes --profile cilium -f site.yaml
  sudo bootstrap status
  sudo bootstrap down --dry-run`

// Tree returns the command tree for those who describe it. It is not to be executed.
func Tree() *cobra.Command { return new(session).tree() }

// tree returns the command tree of one run.
func (s *session) tree() *cobra.Command {
	root := &cobra.Command{
		Use: "bootstrap", Short: "Prepare a Linux host for Kubernetes, and give it back",
		Long: rootLong, Example: rootExample,
		SilenceErrors: true, SilenceUsage: true,
		Args: mistypedCommand,
	}
	var which bool
	root.Flags().BoolVar(&which, "version", false, "the same as 'bootstrap version'")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if which {
			return s.do("version", s.showVersion)(cmd, args)
		}
		return cmd.Help()
	}
	root.SetArgs(append([]string{}, s.env.Args...)) // nil would stand for those of the process
	root.SetIn(s.env.Stdin)
	root.SetOut(s.env.Stdout)
	root.SetErr(s.env.Stderr)
	root.SetFlagErrorFunc(mistypedFlag)
	root.SetUsageFunc(writeUsage)
	s.globalFlags(root)
	root.AddGroup(
		&cobra.Group{ID: look, Title: "Look:"},
		&cobra.Group{ID: change, Title: "Change:"},
		&cobra.Group{ID: files, Title: "Files:"})
	root.AddCommand(s.checkCommand(), s.planCommand(), s.statusCommand(), s.nodeIPCommand(), s.upCommand(), s.downCommand(),
		s.validateCommand(), s.profilesCommand(), s.versionCommand(), s.residentCommand(), s.gateCommand())
	for _, c := range root.Commands() {
		if c.ValidArgs == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
	root.AddCommand(topics()...)
	root.SetHelpCommand(helpCommand())
	root.InitDefaultCompletionCmd()
	if completion, _, err := root.Find([]string{"completion"}); err == nil {
		completion.Args, completion.RunE = mistypedCommand, root.RunE
	}
	return root
}

func (s *session) globalFlags(root *cobra.Command) {
	s.format, s.rootDir = document.Text, "/"
	f := root.PersistentFlags()
	f.VarP(&formatFlag{&s.format}, "output", "o", "how to write the result: text, json or yaml")
	f.BoolVarP(&s.verbose, "verbose", "v", false, "show all items, not only those that change or fail")
	f.BoolVarP(&s.quiet, "quiet", "q", false, "say nothing unless something is wrong")
	f.BoolVar(&s.noColour, "no-color", false, "no colours; the same as NO_COLOR=1")
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(document.Formats(), cobra.ShellCompDirectiveNoFileComp))
}

func (s *session) lockFlag(cmd *cobra.Command) {
	cmd.Flags().DurationVar(&s.lockTimeout, "lock-timeout", 30*time.Second, "a `DURATION`, such as 2m, to wait for another run to end")
}

// formatFlag is the value of --output. It implements pflag.Value.
type formatFlag struct{ format *document.Format }

func (f *formatFlag) String() string { return string(*f.format) }
func (f *formatFlag) Type() string   { return "FORMAT" }
func (f *formatFlag) Set(text string) (err error) {
	*f.format, err = document.ParseFormat(text)
	return err
}
