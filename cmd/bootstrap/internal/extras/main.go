// Command extras writes what a package ships beside bootstrap, from the command tree
// itself, so that it cannot say anything else than the program does: manual pages, and
// completions for bash, zsh and fish.
//
//	go run ./cmd/bootstrap/internal/extras VERSION FOLDER
//
// The date of the pages is SOURCE_DATE_EPOCH, if that is set. It is not in hack, for the
// command tree is internal to bootstrap.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: extras VERSION FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "extras:", err)
		os.Exit(1)
	}
}

// write fills the folder, which need not be there.
func write(version, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := writeCompletions(folder); err != nil {
		return err
	}
	return writeManual(version, folder)
}
