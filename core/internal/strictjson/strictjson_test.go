package strictjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goverso/verso/core/internal/strictjson"
)

// form has a value of each kind.
type form struct {
	Embedded
	Text  string         `json:"text"`
	Whole int            `json:"whole"`
	Truth bool           `json:"truth"`
	Keys  map[string]int `json:"keys"`
	List  []form         `json:"list"`
}

type Embedded struct {
	Inner string `json:"inner"`
}

func TestUnmarshal(t *testing.T) {
	const text = `{"inner": "a", "text": "b", "whole": 1, "truth": true, "keys": {"k": 2}, "list": [{"text": "c"}]}`
	want := form{Embedded: Embedded{"a"}, Text: "b", Whole: 1, Truth: true, Keys: map[string]int{"k": 2}, List: []form{{Text: "c"}}}
	var got form
	if err := strictjson.Unmarshal([]byte(text), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestUnmarshalErrors(t *testing.T) {
	tests := []struct{ name, text, code, want string }{
		{"nothing", "", "json_malformed", "unexpected end of JSON input: write a JSON object"},
		{"a byte order mark", "\ufeff{}", "json_malformed", "the text begins with a byte order mark: save it as UTF-8 without one"},
		{"white space", " \n", "json_malformed", "unexpected end of JSON input: write a JSON object"},
		{"an end too early", `{"text": "a"`, "json_malformed", "line 1, column 12: unexpected end of JSON input: correct it there"},
		{"a word", "x", "json_malformed", "line 1, column 1: invalid character 'x' looking for beginning of value: correct it there"},
		{"no comma", "{\n  \"text\": \"a\"\n  \"whole\": 1}", "json_malformed", "line 3, column 3: invalid character '\"' after object key:value pair: correct it there"},
		{"a comment", "{// text\n}", "json_malformed", "line 1, column 2: invalid character '/' looking for beginning of object key string: correct it there"},
		{"a trailing comma in an object", "{\n  \"text\": \"a\",\n}", "json_malformed", "line 2, column 14: nothing follows the comma: remove it"},
		{"a trailing comma in a list", "{\"list\": [{} , ]}", "json_malformed", "line 1, column 14: nothing follows the comma: remove it"},
		{"two commas", `{"list": [{},,]}`, "json_malformed", "line 1, column 14: invalid character ',' looking for beginning of value: correct it there"},
		{"a comma alone", `{,}`, "json_malformed", "line 1, column 2: invalid character ',' looking for beginning of object key string: correct it there"},
		{"not UTF-8", "{\"text\": \"\xff\"}", "json_malformed", "the text is not UTF-8: save it as UTF-8"},

		{"a key twice", "{\"list\": [\n{\"text\": \"a\", \"text\": \"b\"}]}", "json_key_twice", `line 2, column 20: duplicate key "text": remove one`},
		{"a key twice in two cases", `{"text": "a", "Text": "b"}`, "json_key_twice", `line 1, column 20: duplicate key "Text": remove one`},
		{"a key twice, with a long s", `{"list": [], "liſt": []}`, "json_key_twice", `line 1, column 20: duplicate key "liſt": remove one`},
		{"a key in another case", "{\"list\": [\n{\"Text\": \"a\"}]}", "json_key_unknown", `line 2, column 7: unknown field "Text": write "text"`},
		{"an unknown key", `{"list": [{"txt": "a"}]}`, "json_key_unknown", `unknown field "txt": correct the key, or remove it`},

		{"a list", `[]`, "json_type", "the value is a JSON array: write an object"},
		{"a number for text", `{"list": [{"text": 1}]}`, "json_type", "list.text is a JSON number: write a string in quotes"},
		{"a number for embedded text", `{"list": [{"inner": 1}]}`, "json_type", "list.inner is a JSON number: write a string in quotes"},
		{"text for a whole number", `{"whole": "1"}`, "json_type", "whole is a JSON string: write a whole number"},
		{"a fraction", `{"whole": 1.5}`, "json_type", "whole is a JSON number 1.5: write a whole number"},
		{"a number that no float64 holds", `{"whole": 1e999}`, "json_type", "whole is a JSON number 1e999: write a whole number"},
		{"a number for true", `{"truth": 1}`, "json_type", "truth is a JSON number: write true or false"},
		{"an object for a list", `{"list": {}}`, "json_type", "list is a JSON object: write a list"},
		{"text for an object", `{"keys": "k"}`, "json_type", "keys is a JSON string: write an object"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := strictjson.Unmarshal([]byte(test.text), new(form))
			var mistake *strictjson.Error
			ok := errors.As(err, &mistake)
			if !ok || mistake.Code != test.code || mistake.Error() != test.want {
				t.Errorf("%v, want %s: %s", err, test.code, test.want)
			}
		})
	}
}

// Unmarshal passes on the error of an UnmarshalJSON method.
func TestUnmarshalOwnError(t *testing.T) {
	if err := strictjson.Unmarshal([]byte(`{"a": 1}`), new(failing)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

type failing struct{}

func (*failing) UnmarshalJSON([]byte) error { return io.ErrUnexpectedEOF }

// Unmarshal finds the same duplicate keys as a model that compares all keys of an
// object.
func FuzzUnmarshal(f *testing.F) {
	for _, text := range []string{
		`{}`, `{"a":1,"a":2}`, `{"a":{"b":1},"b":{"b":1}}`, `{"a":[{"b":1,"b":2}]}`, `[{"a":1},{"a":1}]`, `{"a":1,"\u0061":2}`,
		`{"A":1,"a":2}`, `{"a":1}{"a":1,"a":1}`, `{"a":1,"a":`, `{"a" 1}`, `"a"`, `[[[{"":0,"":0}]]]`, "{\"a\":1,\n}", "[1,]", ",]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var decoded any
		var mistake *strictjson.Error
		errors.As(strictjson.Unmarshal([]byte(text), &decoded), &mistake)
		if valid := json.Valid([]byte(text)) && utf8.ValidString(text); valid == (mistake != nil && mistake.Code == "json_malformed") {
			t.Fatalf("%q is valid: %v, and the mistake is %v", text, valid, mistake)
		} else if !valid {
			return
		}
		if twice := mistake != nil && mistake.Code == "json_key_twice"; twice != slowDuplicate([]byte(text)) {
			t.Errorf("%s has a duplicate key: %v", text, !twice)
		}
	})
}

// slowDuplicate compares each key of each object with all its other keys.
func slowDuplicate(text []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	type level struct {
		object bool
		keys   []string
		value  bool // what comes next is the value of a key
	}
	levels := []level{{}}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return false
		}
		current := &levels[len(levels)-1]
		switch delim, ok := token.(json.Delim); {
		case ok && (delim == '}' || delim == ']'):
			levels = levels[:len(levels)-1]
			continue
		case ok:
			current.value = false
			levels = append(levels, level{object: delim == '{'})
			continue
		}
		if current.object && !current.value {
			key, _ := token.(string)
			if slices.ContainsFunc(current.keys, func(other string) bool { return strings.EqualFold(key, other) }) {
				return true
			}
			current.keys, current.value = append(current.keys, key), true
			continue
		}
		current.value = false
	}
}
