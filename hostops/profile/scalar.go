package profile

import (
	"bytes"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

// isScalar reports a node that is not a single value. want is what belongs there.
func (d *document) isScalar(node *yaml.Node, path, want string) bool {
	switch {
	case node.Kind != yaml.ScalarNode:
		d.reject(node, path, InputError{Reason: ReasonWrongType, Message: "must be " + want + " and is " + nodeWord(node)})
	case d.isTagged(node):
		d.reject(node, path, InputError{Reason: ReasonWrongType, BadValue: node.Tag, Message: "has a tag of YAML", Hint: "remove the tag, and quote what should be text"})
	default:
		return true
	}
	return false
}

// isTagged tells whether a node has an explicit type. The parser keeps no trace of a lone
// exclamation mark, which makes text of what follows: only the file shows it.
func (d *document) isTagged(node *yaml.Node) bool {
	if node.Style&yaml.TaggedStyle != 0 {
		return true
	}
	written := bytes.TrimPrefix(d.from(node), []byte("&"+node.Anchor))
	return bytes.HasPrefix(bytes.TrimLeft(written, " \t"), []byte("!"))
}

func plain(node *yaml.Node) bool { return node.Style&^yaml.FlowStyle == 0 }

// fillText reads a field that holds text. A plain scalar that YAML takes for something
// else has to be quoted.
func (d *document) fillText(node *yaml.Node, target reflect.Value, path string) {
	words := wordsOf(target.Type())
	if !d.isScalar(node, path, "text") {
		return
	}
	if t := trapOf(node.Value); plain(node) && t.what != text {
		d.reject(node, path, textTrap(node.Value, t, words))
		return
	}
	if node.Value == "" && len(words) > 0 {
		d.reject(node, path, InputError{Reason: v1alpha1.ReasonInvalidValue, Message: "is empty", Hint: "write " + v1alpha1.OneOf(words) + ", or remove the field"})
		return
	}
	target.SetString(node.Value)
}

// wordsOf returns the words that a field may hold, or none when it may hold any text.
func wordsOf(t reflect.Type) []string {
	if w, ok := reflect.Zero(t).Interface().(interface{ Words() []string }); ok {
		return w.Words()
	}
	return nil
}

func textTrap(value string, t trap, words []string) InputError {
	e := InputError{Reason: v1alpha1.ReasonInvalidValue, BadValue: value, Message: trapMessage(value, t), Hint: "quote it: " + strconv.Quote(value)}
	if t.what == integer || t.what == tooLarge {
		e.Message = value + " is a number in YAML"
	}
	if len(words) > 0 {
		e.Hint = "write " + v1alpha1.OneOf(words)
	} else if t.what == nothing {
		e.Hint = `write the text, or "" for none`
	}
	return e
}

func trapMessage(value string, t trap) string {
	if value == "" {
		return "is empty"
	}
	return cut(value) + " " + t.message
}

// fillValue reads the value of a sysctl.
func (d *document) fillValue(node *yaml.Node, target *v1alpha1.Value, path string) {
	if !d.isScalar(node, path, "an integer or text") {
		return
	}
	*target = v1alpha1.Value{Text: node.Value}
	if !plain(node) {
		return
	}
	switch t := trapOf(node.Value); t.what {
	case text:
	case integer:
		target.Number = true
		target.Text = plainDecimal(node.Value) // -0 is 0
	default:
		d.reject(node, path, valueTrap(node.Value, t))
	}
}

func valueTrap(value string, t trap) InputError {
	e := InputError{Reason: v1alpha1.ReasonInvalidValue, BadValue: value, Message: trapMessage(value, t)}
	switch quoted := strconv.Quote(value); {
	case t.what == nothing:
		e.Hint = "write the value, or remove the entry"
	case t.what == boolean:
		e.Hint = "write " + t.instead
	case t.instead == "":
		e.Hint = "quote it: " + quoted
	case leadingZero().MatchString(value) && trimZeros(value) != t.instead:
		// Somebody who wrote 010 may have meant ten.
		e.Hint = fmt.Sprintf("write %s or %q", t.instead, trimZeros(value))
	case hexText().MatchString(value):
		e.Hint = fmt.Sprintf("write %s or %s", t.instead, quoted)
	default:
		e.Hint = "write " + t.instead
	}
	return e
}

// fillInteger reads a field that holds an integer of the field's size.
func (d *document) fillInteger(node *yaml.Node, target reflect.Value, path string) {
	if !d.isScalar(node, path, "an integer") {
		return
	}
	size := target.Type().Bits()
	n, err := strconv.ParseInt(node.Value, 10, size)
	t := trapOf(node.Value)
	switch {
	case plain(node) && t.what == integer && err == nil:
		target.SetInt(n)
	case plain(node) && (t.what == integer || t.what == tooLarge):
		d.reject(node, path, InputError{Reason: v1alpha1.ReasonInvalidValue, BadValue: node.Value, Message: fmt.Sprintf("must be from %d to %d", -1<<(size-1), 1<<(size-1)-1)})
	case plain(node) && t.what != text:
		d.reject(node, path, InputError{Reason: v1alpha1.ReasonInvalidValue, BadValue: node.Value, Message: trapMessage(node.Value, t), Hint: "write " + orElse(t.instead, "a plain integer")})
	default:
		hint := "write a plain integer"
		if isDecimal(node.Value) {
			hint = "remove the quotes"
		}
		d.reject(node, path, InputError{Reason: ReasonWrongType, BadValue: node.Value, Message: "must be an integer and is text", Hint: hint})
	}
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// fillBoolean reads a field that is true or false, in the spelling on which all YAML
// readers agree.
func (d *document) fillBoolean(node *yaml.Node, target reflect.Value, path string) {
	if !d.isScalar(node, path, "true or false") {
		return
	}
	if plain(node) && (node.Value == "true" || node.Value == "false") {
		target.SetBool(node.Value == "true")
		return
	}
	hint := "write true or false"
	if t := trapOf(strings.TrimSpace(node.Value)); t.what == boolean {
		hint = fmt.Sprintf("write %t", t.instead == "1")
	}
	d.reject(node, path, InputError{Reason: ReasonWrongType, BadValue: node.Value, Message: "must be true or false", Hint: hint})
}
