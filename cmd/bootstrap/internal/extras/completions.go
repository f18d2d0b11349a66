package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"

	"github.com/hostprofile/hostprofile/cmd/bootstrap/internal/command"
)

// alias is the other name under which the program is installed.
const alias = "hostprofile"

// writeCompletions writes a file for each shell, and teaches each the alias too.
func writeCompletions(folder string) error {
	root := command.Tree()
	var bash, zsh, fish bytes.Buffer
	if err := root.GenBashCompletionV2(&bash, true); err != nil {
		return err
	}
	bash.WriteString("complete -o default -o nospace -F __start_" + root.Name() + " " + alias + "\n")
	if err := root.GenZshCompletion(&zsh); err != nil {
		return err
	}
	if err := root.GenFishCompletion(&fish, true); err != nil {
		return err
	}
	for name, content := range map[string]string{
		"bootstrap.bash":   bash.String(),
		"_bootstrap":       strings.Replace(zsh.String(), "#compdef "+root.Name()+"\n", "#compdef "+root.Name()+" "+alias+"\n", 1),
		"bootstrap.fish":   fish.String(),
		"hostprofile.fish": "complete --command " + alias + " --wraps " + root.Name() + "\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
