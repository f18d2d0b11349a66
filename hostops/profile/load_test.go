package profile_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"time"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
	"github.com/hostprofile/hostprofile/hostops/profile"
)

const forEveryNode = "apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: %s}\nspec: {nodeSelector: {}}\n"

func named(name string) string { return fmt.Sprintf(forEveryNode, name) }

func load(text string) ([]v1alpha1.HostProfile, error) {
	return profile.Load("site.yaml", strings.NewReader(text))
}

func TestInputThatHoldsNoProfileIsRefused(t *testing.T) {
	for _, c := range []struct {
		name, text string
		reason     v1alpha1.Reason
	}{
		{"an empty file", "", profile.ReasonEmpty},
		{"a file of blanks", " \n\t\n", profile.ReasonEmpty},
		{"a byte order mark and no more", "\ufeff", profile.ReasonEmpty},
		{"a second document without a line of dashes", named("a") + "...\n" + named("b"), profile.ReasonNotYAML},
		{"a file of comments", "# nothing\n# at all\n", profile.ReasonEmpty},
		{"a file of empty documents", "---\n---\n# nothing\n...\n", profile.ReasonEmpty},
		{"a binary", "\x7fELF\x02\x01\x01\x00\x00", profile.ReasonNotYAML},
		{"text in UTF-16", "\xff\xfea\x00:\x00", profile.ReasonNotYAML},
		{"text in Latin-1", "a: na\xefve\n", profile.ReasonNotYAML},
		{"line breaks of an old Mac", "kind: HostProfile\rspec: {}\r", profile.ReasonNotYAML},
		{"a line separator of Unicode", "kind: HostProfile\nspec: \"\u2028\"\n", profile.ReasonNotYAML},
		{"prose", "Dear host, please forward packets.", profile.ReasonWrongKind},
		{"a number", "42", profile.ReasonWrongKind},
		{"a list", "- a\n- b\n", profile.ReasonWrongKind},
		{"an unclosed bracket", "spec: {", profile.ReasonNotYAML},
		{"another kind", "apiVersion: v1\nkind: Node\n", profile.ReasonWrongKind},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(c.text)
			errs := inputErrors(t, err)
			if errs[0].Reason != c.reason || errs[0].File != "site.yaml" || errs[0].Hint == "" {
				t.Errorf("have %+v", errs[0])
			}
		})
	}
}

func TestFileThatIsTooLargeIsRefusedWithoutReadingAllOfIt(t *testing.T) {
	const size = 10 << 20
	text := strings.NewReader(strings.Repeat("- a: b\n", size/7))
	_, err := profile.Load("site.yaml", text)
	if errs := inputErrors(t, err); errs[0].Reason != profile.ReasonTooLarge || errs[0].Error() != "site.yaml: the file is larger than 1024 KiB; split it; a profile has at most 256 sysctls" {
		t.Errorf("have %v", err)
	}
	if read := size - text.Len(); read > profile.MaxFileSize+1<<10 {
		t.Errorf("%d bytes were read", read)
	}
}

func TestFileOfNothingButMistakesCostsNoMoreThanItsLength(t *testing.T) {
	const limit = 30 * time.Second // of the processor, since machines are busy: a second is normal
	for name, text := range map[string]string{
		"documents": strings.Repeat("---\na: b\n", profile.MaxFileSize/9),
		"brackets":  strings.Repeat("[", profile.MaxFileSize),
		"sysctls":   strings.TrimSuffix(named("site"), "}\n") + ", sysctls: [" + strings.Repeat("{name: net/ipv4},", profile.MaxFileSize/17-100) + "]}",
		"aliases":   "a: &a [x]\nb: [" + strings.Repeat("*a,", profile.MaxFileSize/4) + "]",
	} {
		start := processorTime(t)
		_, err := load(text)
		errs := inputErrors(t, err)
		if took := processorTime(t) - start; took > limit {
			t.Errorf("%s took %s", name, took)
		}
		if len(errs) > 201 {
			t.Errorf("%s gave %d errors", name, len(errs))
		}
	}
}

func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func TestAliasBombIsNotBlownUp(t *testing.T) {
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(fmt.Sprintf("*%c, ", c-1), 9))
	}
	if _, err := load(bomb); err == nil {
		t.Error("not refused")
	}
	if _, err := load(strings.TrimSuffix(named("site"), "}\n") + ", sysctls: *z}\n"); err == nil {
		t.Error("not refused")
	}
}

func TestSeveralDocumentsAreReadInTheirOrder(t *testing.T) {
	text := "# first\n---\n" + named("b") + "---\n# nothing\n---\n" + named("a") + "--- # last\n" + named("c") + "...\n"
	profiles, err := load(text)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	if have := strings.Join(names, " "); have != "b a c" {
		t.Errorf("have %s", have)
	}
}

func TestMistakesOfEveryDocumentAreReported(t *testing.T) {
	bad := strings.Replace(named("bad"), "nodeSelector: {}", "swap: off", 1)
	_, err := load(named("good") + "---\nfoo: [\n---\n" + bad + "---\n" + named("good"))
	errs := inputErrors(t, err)
	var have []string
	for _, e := range errs {
		have = append(have, fmt.Sprintf("%d %d %s %s", e.Document, e.Line, e.Object, e.Reason))
	}
	want := "2 6  NotYAML|3 11 HostProfile/bad MissingField|3 11 HostProfile/bad InvalidValue|4 15 HostProfile/good DuplicateName"
	if strings.Join(have, "|") != want {
		t.Errorf("have %s", strings.Join(have, "|"))
	}
}

func TestTwoFilesWithOneProfileNameAreRefused(t *testing.T) {
	_, err := profile.Read(
		profile.Source{Name: "a.yaml", Reader: strings.NewReader(named("site"))},
		profile.Source{Name: "-", Reader: strings.NewReader("\n" + named("site"))},
	)
	errs := inputErrors(t, err)
	if want := "stdin:4:18: metadata.name: HostProfile/site is in a.yaml:3:18 already; rename or remove one of them"; errs.Error() != want {
		t.Errorf("have %s", errs)
	}
	if errs[0].File != "-" {
		t.Errorf("programs get the name that was given, and not %q", errs[0].File)
	}
}

func TestFilesThatDifferOnlyInFormAreTheSame(t *testing.T) {
	text := named("site")
	for name, other := range map[string]string{
		"a byte order mark":   "\ufeff" + text,
		"CRLF":                strings.ReplaceAll(text, "\n", "\r\n"),
		"no newline at end":   strings.TrimSuffix(text, "\n"),
		"a document mark":     "---\r\n" + text,
		"JSON":                `{"apiVersion":"hostprofile.io/v1alpha1","kind":"HostProfile","metadata":{"name":"site"},"spec":{"nodeSelector":{}}}`,
		"JSON with indents":   "{\n\t\"apiVersion\": \"hostprofile.io/v1alpha1\",\n\t\"kind\": \"HostProfile\",\n\t\"metadata\": {\"name\": \"site\"},\n\t\"spec\": {\"nodeSelector\": {}}\n}",
		"quotes around words": strings.ReplaceAll(text, "site", `"site"`),
	} {
		profiles, err := load(other)
		if err != nil || len(profiles) != 1 || profiles[0].Name != "site" || profiles[0].Spec.NodeSelector == nil {
			t.Errorf("%s: have %v, %v", name, profiles, err)
		}
	}
}

func TestWhatKubectlPrintsCanBeRead(t *testing.T) {
	profiles, err := load(`apiVersion: hostprofile.io/v1alpha1
kind: HostProfile
metadata:
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"hostprofile.io/v1alpha1"}
  creationTimestamp: "2026-01-02T03:04:05Z"
  generation: 2
  managedFields:
  - {apiVersion: hostprofile.io/v1alpha1, manager: kubectl, operation: Apply}
  name: site
  resourceVersion: "1234"
  uid: 0c0ffee0-0000-4000-8000-000000000000
spec:
  nodeSelector: {}
  priority: 0
`)
	if err != nil {
		t.Fatal(err)
	}
	if p := profiles[0]; p.UID != "" || len(p.ManagedFields) > 0 || len(p.Annotations) != 1 {
		t.Errorf("have %+v", p.ObjectMeta)
	}
}

func TestFileThatCannotBeReadIsNoBadInput(t *testing.T) {
	_, err := profile.Load("site.yaml", iotest.ErrReader(io.ErrUnexpectedEOF))
	if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "read site.yaml") {
		t.Errorf("have %v", err)
	}
	if errs := (profile.InputErrors)(nil); errors.As(err, &errs) {
		t.Error("it is not what is written in the file that is wrong")
	}
}

func TestMoreMistakesThanAnybodyReadsAreCut(t *testing.T) {
	var text strings.Builder
	text.WriteString("apiVersion: hostprofile.io/v1alpha1\nkind: HostProfile\nmetadata: {name: site}\nspec:\n  nodeSelector: {}\n  sysctls:\n")
	for i := range 250 {
		fmt.Fprintf(&text, "  - {name: net.core.setting_%d, value: off}\n", i)
	}
	_, err := load(text.String())
	errs := inputErrors(t, err)
	if last := errs[len(errs)-1]; len(errs) != 201 || last.Message != "there are more errors than are shown" || last.Field != "" {
		t.Errorf("have %d errors, the last %v", len(errs), last)
	}
}

func TestLargeValuesAreCutInMessages(t *testing.T) {
	_, err := load(strings.Replace(named("site"), "site", strings.Repeat("x", 5000), 1))
	if errs := inputErrors(t, err); len(errs[0].BadValue) > 200 || len(errs[0].Error()) > 1000 {
		t.Errorf("have %v", errs)
	}
}
