package zonefile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

// Same reports whether two zone files say the same: whatever their layout, comments and
// order. A file that cannot be read is the same as none.
func Same(a, b []byte) bool {
	first, err := canonical(a)
	if err != nil {
		return false
	}
	second, err := canonical(b)
	return err == nil && first == second
}

// canonical spells a document with sorted attributes and sorted elements.
func canonical(content []byte) (string, error) {
	d := xml.NewDecoder(bytes.NewReader(content))
	for {
		token, err := d.Token()
		if err != nil {
			return "", err
		}
		if start, ok := token.(xml.StartElement); ok {
			return element(d, start)
		}
	}
}

func element(d *xml.Decoder, start xml.StartElement) (string, error) {
	var attributes, inside []string
	for _, a := range start.Attr {
		if start.Name.Local != "zone" || a.Name.Local != "version" {
			attributes = append(attributes, a.Name.Local+"="+a.Value)
		}
	}
	var text strings.Builder
	for {
		token, err := d.Token()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return "", err
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			child, err := element(d, token)
			if err != nil {
				return "", err
			}
			inside = append(inside, child)
		case xml.EndElement:
			slices.Sort(attributes)
			slices.Sort(inside)
			return "<" + start.Name.Local + " " + strings.Join(attributes, "\x00") + ">" +
				strings.Join(strings.Fields(text.String()), " ") + strings.Join(inside, "") + "</>", nil
		}
	}
}
