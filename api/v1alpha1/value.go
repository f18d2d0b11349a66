package v1alpha1

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Value is what a sysctl should hold. In JSON and YAML it is an integer or a string, from
// the smallest int64 to the largest uint64; a fraction, an exponent, a boolean or a list
// is an error.
//
// A Value goes out the way it came in: 1 as 1 and "1" as "1", so that a program that
// reads a profile and writes it back never makes a difference for GitOps tools. To
// compare two values, or to give one to the kernel, use Canonical.
//
// intstr.IntOrString would not do: it holds an int32, and 68719476736 passes the API
// server and then fails to decode.
//
// +kubebuilder:validation:Type=""
// +kubebuilder:validation:XIntOrString
// +kubebuilder:validation:MinLength=1
// +kubebuilder:validation:MaxLength=1024
// +kubebuilder:validation:Pattern=`^[!$-&(-*,-:<-~]([ !"$-*,-:<-~]*[!$-&(-*,-:<-~])?$`
type Value struct {
	// Text is the value as written, character for character.
	Text string `json:"-"`
	// Number tells that Text was written as a JSON integer, and goes out as one.
	Number bool `json:"-"`
}

// TextValue returns the Value that a quoted string in YAML gives.
func TextValue(text string) Value { return Value{Text: text} }

// IntValue returns the Value that a plain integer in YAML gives.
func IntValue(n int64) Value { return Value{Text: strconv.FormatInt(n, 10), Number: true} }

// String returns the value as written, for messages.
func (v Value) String() string { return v.Text }

// Canonical returns the one text that stands for every way to write this value: fields
// separated by single blanks, hexadecimal numbers in decimal. Other text is unchanged;
// in particular a leading zero is kept, because some settings are bit masks.
func (v Value) Canonical() string {
	fields := strings.Fields(v.Text)
	for i, field := range fields {
		fields[i] = decimal(field)
	}
	return strings.Join(fields, " ")
}

// Equal tells whether both values mean the same to the kernel, however they are written.
func (v Value) Equal(other Value) bool { return v.Canonical() == other.Canonical() }

// MarshalJSON writes the value the way it was read. An integer beyond int64 goes out as
// a string: the API server has no number for it.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.Number {
		if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			return strconv.AppendInt(nil, n, 10), nil
		}
	}
	return json.Marshal(v.Text)
}

// UnmarshalJSON reads an integer or a string. JSON null leaves the value as it is.
func (v *Value) UnmarshalJSON(data []byte) error {
	data = bytes.TrimSpace(data)
	switch {
	case string(data) == "null":
		return nil
	case len(data) > 0 && data[0] == '"':
		*v = Value{}
		return json.Unmarshal(data, &v.Text)
	}
	text, err := integerText(string(data))
	if err != nil {
		return err
	}
	*v = Value{Text: text, Number: true}
	return nil
}

// integerText checks that a JSON literal is an integer which some sysctl can hold.
func integerText(literal string) (string, error) {
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return strconv.FormatInt(n, 10), nil
	}
	if n, err := strconv.ParseUint(literal, 10, 64); err == nil {
		return strconv.FormatUint(n, 10), nil
	}
	return "", fmt.Errorf("value must be an integer or a string, not %s", shorten(literal))
}

// decimal turns a hexadecimal number that fits 64 bits into decimal, and leaves all else.
func decimal(field string) string {
	digits, hex := strings.CutPrefix(strings.ToLower(field), "0x")
	if !hex {
		return field
	}
	n, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return field
	}
	return strconv.FormatUint(n, 10)
}

// shorten keeps a message readable when what it quotes is not.
func shorten(text string) string {
	const most = 40
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}
