package source_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/internal/coretest"
)

func TestInNamespace(t *testing.T) {
	if got := verso.V("v2").InNamespace("user-list"); got != "v2:user-list" {
		t.Errorf("InNamespace = %q", got)
	}
}

func TestVersion(t *testing.T) {
	tests := []struct {
		name              string
		version           verso.Version
		text, source, log string
	}{
		{"none", verso.Version{}, "", "verso.Version{}", "null"},
		{"empty", verso.V(""), "", `verso.V("")`, `""`},
		{"plain", verso.V("v1"), "v1", `verso.V("v1")`, `"v1"`},
		{"quotes", verso.V(`"`), `"`, `verso.V("\"")`, `"\\\""`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.version.String(); got != test.text {
				t.Errorf("String() = %q, want %q", got, test.text)
			}
			if got, err := test.version.MarshalText(); string(got) != test.text || err != nil {
				t.Errorf("MarshalText() = %q, %v, want %q", got, err, test.text)
			}
			if got := fmt.Sprintf("%#v", test.version); got != test.source {
				t.Errorf("%%#v = %s, want %s", got, test.source)
			}
			if got := coretest.Logged(t, test.version); got != test.log {
				t.Errorf("logged %s, want %s", got, test.log)
			}
		})
	}
}

func TestVersionComparison(t *testing.T) {
	none, empty := verso.Version{}, verso.V("")
	switch {
	case none == empty:
		t.Error("none equals the empty version")
	case !none.IsNone() || empty.IsNone() || verso.V("v1").IsNone():
		t.Error("IsNone is not true of none alone")
	case verso.V("v1") != verso.V(strings.Clone("v1")):
		t.Error("versions of equal text differ")
	case verso.V("v1") == verso.V("V1"), verso.V("1") == verso.V("1.0"), verso.V("é") == verso.V("e\u0301"):
		t.Error("versions of different bytes are equal")
	}
	byVersion := map[verso.Version]int{none: 1, empty: 2, verso.V("v1"): 3}
	if byVersion[none] != 1 || byVersion[empty] != 2 || byVersion[verso.V(strings.Clone("v1"))] != 3 {
		t.Errorf("as keys of a map: %v", byVersion)
	}
}

func TestVersionJSON(t *testing.T) {
	tests := []struct {
		name, json string
		want       verso.Version
	}{
		{"none", `null`, verso.Version{}},
		{"empty", `""`, verso.V("")},
		{"text", `"v1"`, verso.V("v1")},
		{"text of a number", `"1.0"`, verso.V("1.0")},
		{"text of null", `"null"`, verso.V("null")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := verso.V("overwritten")
			if err := json.Unmarshal([]byte(test.json), &got); err != nil || got != test.want {
				t.Errorf("decoded %#v, %v, want %#v", got, err, test.want)
			}
			if encoded, err := json.Marshal(test.want); err != nil || string(encoded) != test.json {
				t.Errorf("encoded %s, %v, want %s", encoded, err, test.json)
			}
		})
	}
	for _, wrong := range []string{`1`, `1.0`, `true`, `["v1"]`, `{"v1":1}`} {
		t.Run(wrong, func(t *testing.T) {
			v := verso.V("kept")
			err := json.Unmarshal([]byte(wrong), &v)
			if want := "verso: a version is a JSON string or null, got " + wrong; err == nil || err.Error() != want {
				t.Errorf("error %v, want %s", err, want)
			}
			if v != verso.V("kept") {
				t.Errorf("changed to %#v by an error", v)
			}
		})
	}
}

// Text cannot say none: it reads back as the empty version.
func TestVersionText(t *testing.T) {
	for version, want := range map[verso.Version]verso.Version{
		verso.V("v1"):   verso.V("v1"),
		verso.V(""):     verso.V(""),
		{}:              verso.V(""),
		verso.V("\xff"): verso.V("\xff"),
	} {
		text, err := version.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		got := verso.V("overwritten")
		if err := got.UnmarshalText(text); err != nil || got != want {
			t.Errorf("%#v read back as %#v, %v, want %#v", version, got, err, want)
		}
	}
}

// A version that a client made up can neither forge a line of a log, nor fool
// its reader, nor flood it.
func TestVersionLogValue(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"line break", "v1\r\nlevel=ERROR", `v1\r\nlevel=ERROR`},
		{"NUL and escape", "\x00\x1b[31m", `\x00\x1b[31m`},
		{"right-to-left override", "v1\u202e1v", `v1\u202e1v`},
		{"beyond ASCII", "é😀", `\u00e9\U0001f600`},
		{"not UTF-8", "\xff", `\xff`},
		{"64 bytes", strings.Repeat("v", 64), strings.Repeat("v", 64)},
		{"65 bytes", strings.Repeat("v", 65), strings.Repeat("v", 64) + `...`},
		{"64 KiB", strings.Repeat("v", 64<<10), strings.Repeat("v", 64) + `...`},
		{"64 KiB of line breaks", strings.Repeat("\n", 64<<10), strings.Repeat(`\n`, 64) + `...`},
		{"cut within a character", strings.Repeat("v", 63) + "é", strings.Repeat("v", 63) + `\xc3...`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := verso.V(test.text).LogValue().String(); got != test.want {
				t.Errorf("LogValue() = %s, want %s", got, test.want)
			}
		})
	}
}
