package v1alpha1_test

import (
	"encoding/json"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/hostprofile/hostprofile/api/v1alpha1"
)

func TestValueGoesOutTheWayItCameIn(t *testing.T) {
	for _, text := range []string{`0`, `1`, `-1`, `"1"`, `"-1"`, `"010"`, `"0x10"`, `"off"`, `"4096  87380 6291456"`, `""`,
		`9223372036854775807`, `-9223372036854775808`, `"18446744073709551615"`, `"naïve \u2028 text"`} {
		var v v1alpha1.Value
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Errorf("read %s: %v", text, err)
			continue
		}
		if have := string(must(json.Marshal(v))); have != text {
			t.Errorf("%s came in and %s goes out", text, have)
		}
	}
}

func TestValueBeyondInt64GoesOutAsTextBecauseTheAPIServerHasNoSuchNumber(t *testing.T) {
	var v v1alpha1.Value
	if err := json.Unmarshal([]byte(`18446744073709551615`), &v); err != nil {
		t.Fatal(err)
	}
	if have := string(must(json.Marshal(v))); have != `"18446744073709551615"` {
		t.Errorf("have %s", have)
	}
}

func TestValueThatOnlyClaimsToBeANumberGoesOutAsText(t *testing.T) {
	v := v1alpha1.Value{Text: "bbr", Number: true}
	if have := string(must(json.Marshal(v))); have != `"bbr"` {
		t.Errorf("have %s", have)
	}
}

func TestValueRefusesWhatIsNeitherIntegerNorText(t *testing.T) {
	for _, text := range []string{`true`, `false`, `1.5`, `1e3`, `1.0`, `{}`, `{"a":1}`, `[]`, `[1]`, `18446744073709551616`, `-9223372036854775809`} {
		var v v1alpha1.Value
		if err := json.Unmarshal([]byte(text), &v); err == nil || !strings.Contains(err.Error(), "integer or a string") {
			t.Errorf("%s: have %v as %+v", text, err, v)
		}
	}
}

func TestCanonicalValueIsTheSameForEveryWayToWriteIt(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{"1", "1"}, {" 1 ", "1"}, {"0x10", "16"}, {"0X1f", "31"}, {"0xffffffffffffffff", "18446744073709551615"},
		{"4096\t87380\t6291456\n", "4096 87380 6291456"}, {"4096   0x1000", "4096 4096"},
		{"00000000,00000003", "00000000,00000003"}, {"bbr", "bbr"}, {"0x", "0x"}, {"0xfffffffffffffffff", "0xfffffffffffffffff"}, {"010", "010"}, {"", ""},
	} {
		if have := v1alpha1.TextValue(c.written).Canonical(); have != c.want {
			t.Errorf("%q: have %q, want %q", c.written, have, c.want)
		}
	}
	if !v1alpha1.IntValue(16).Equal(v1alpha1.TextValue("0x10")) || v1alpha1.IntValue(16).Equal(v1alpha1.IntValue(10)) {
		t.Error("values are equal when their canonical texts are")
	}
}

// Controllers compare objects this way, and it panics over fields that it cannot see.
func TestProfilesCanBeComparedAndConverted(t *testing.T) {
	value := v1alpha1.IntValue(8192)
	profile := &v1alpha1.HostProfile{Spec: v1alpha1.HostProfileSpec{Sysctls: []v1alpha1.Sysctl{{Name: "a.b", Value: &value}}}}
	other := profile.DeepCopy()
	if !equality.Semantic.DeepEqual(profile, other) {
		t.Error("a copy differs")
	}
	other.Spec.Sysctls[0].Value.Text = "1"
	if equality.Semantic.DeepEqual(profile, other) || profile.Spec.Sysctls[0].Value.Text != "8192" {
		t.Error("the copy shares its value")
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(profile)
	if err != nil {
		t.Fatal(err)
	}
	back := &v1alpha1.HostProfile{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, back); err != nil {
		t.Fatal(err)
	}
	if !equality.Semantic.DeepEqual(profile, back) {
		t.Errorf("have %+v", back.Spec.Sysctls[0].Value)
	}
}

func FuzzValue(f *testing.F) {
	for _, seed := range []string{`1`, `"1"`, `-1`, `"0x10"`, `"4096 87380"`, `18446744073709551615`, `1e3`, `true`, `null`, `""`, `"\u0000"`, ` 1 `, `-0`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var v, again v1alpha1.Value
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatalf("%q was read as %+v and cannot be written: %v", text, v, err)
		}
		if err := json.Unmarshal(out, &again); err != nil || again.Canonical() != v.Canonical() {
			t.Fatalf("%q was written as %s and read as %+v: %v", text, out, again, err)
		}
		if twice := v1alpha1.TextValue(v.Canonical()).Canonical(); twice != v.Canonical() {
			t.Fatalf("%q has the canonical text %q, which has %q", text, v.Canonical(), twice)
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
