// Modprobe stands in for the host's: it answers as its file /answers says, and logs
// how it was called to /calls.
package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	args := strings.Join(os.Args[1:], " ")
	record(args)
	answers, _ := os.ReadFile("/answers")
	for line := range strings.Lines(string(answers)) {
		call, answer, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		if call == args {
			if answer == "hang" {
				time.Sleep(time.Hour)
			}
			fmt.Println(strings.ReplaceAll(answer, "; ", "\n"))
			return
		}
	}
	fmt.Fprintf(os.Stderr, "modprobe: FATAL: Module %s not found\n", args)
	os.Exit(1)
}

func record(args string) {
	log, err := os.OpenFile("/calls", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	dir, _ := os.Getwd()
	fmt.Fprintf(log, "%s | %s | %s\n", args, strings.Join(os.Environ(), " "), dir)
}
