package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/document"
	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/version"
)

const versionLong = `version says which program this is, and which formats of the record it reads: a newer
bootstrap reads what an older one wrote, and an older one refuses what it does not know.`

func (s *session) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Which program this is, and what it reads",
		Long: versionLong, Example: "  bootstrap version\n  bootstrap version -o json", Args: noArguments,
		RunE: s.do("version", s.showVersion),
	}
}

func (s *session) showVersion(context.Context, []string) (*answer, error) {
	info := version.Describe(s.env.Version)
	d := document.New(document.Version, "version", "")
	d.Summary = info
	text := fmt.Sprintf("bootstrap %s, %s, %s\n", info.Version, info.Go, info.Platform)
	if !s.quiet && info.Commit != "" {
		text += fmt.Sprintf("commit %s\n", info.Commit)
	}
	text += fmt.Sprintf("record format %d.%d, reads %d to %d\n",
		info.Ledger.Major, info.Ledger.Minor, info.Ledger.Reads.From, info.Ledger.Reads.To)
	return &answer{document: d, text: text}, nil
}
