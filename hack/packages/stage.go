package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/hostprofile/hostprofile/hostops/paths"
	"github.com/hostprofile/hostprofile/hostops/unit"
)

// fill gathers in a folder what nfpm.yaml names.
func (o order) fill(ctx context.Context, stage string) error {
	for source, name := range map[string]string{o.program: "bootstrap", "LICENSE": "LICENSE"} {
		content, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(stage, name), content, 0o644); err != nil {
			return err
		}
	}
	text, err := unit.Text([]string{paths.PackagedProgram, "run"})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(stage, paths.Unit), []byte(text), 0o644); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./cmd/bootstrap/internal/extras", o.version, stage)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("write manual pages and completions: %w: %s", err, out)
	}
	return pressPages(stage)
}

// pressPages compresses the manual pages into a folder man, as both formats ask for.
func pressPages(stage string) error {
	pages, err := filepath.Glob(filepath.Join(stage, "*.1"))
	if err != nil {
		return err
	}
	folder := filepath.Join(stage, "man")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return err
	}
	for _, page := range pages {
		if err := press(page, filepath.Join(folder, filepath.Base(page)+".gz")); err != nil {
			return err
		}
	}
	return nil
}

// press compresses a file, without its name and time.
func press(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var pressed bytes.Buffer
	w, err := gzip.NewWriterLevel(&pressed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, pressed.Bytes(), 0o644)
}
