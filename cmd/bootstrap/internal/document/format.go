package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// Format is how a result is written.
type Format string

// The formats.
const (
	Text Format = "text"
	JSON Format = "json"
	YAML Format = "yaml"
)

// Formats lists the formats.
func Formats() []string { return []string{string(Text), string(JSON), string(YAML)} }

// ParseFormat reads the name of a format.
func ParseFormat(s string) (Format, error) {
	if !slices.Contains(Formats(), s) {
		return Text, fmt.Errorf("there is no output format %q: use %s", s, strings.Join(Formats(), ", "))
	}
	return Format(s), nil
}

// Write writes the document as JSON or YAML, with a newline at its end.
func (d Document) Write(w io.Writer, f Format) error {
	d.fill()
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(d); err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	out := text.Bytes()
	if f == YAML {
		var err error
		if out, err = yaml.JSONToYAML(out); err != nil {
			return fmt.Errorf("encode the result: %w", err)
		}
	}
	_, err := w.Write(out)
	return err
}
