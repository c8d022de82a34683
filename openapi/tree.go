package openapi

import (
	"bytes"
	"encoding"
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
)

// tree returns what json.Marshal of a part of a document encodes, as maps, lists, texts and bools,
// and leaf of the JSON of all else. It takes a third of the time of the MarshalJSON of kin-openapi,
// which encodes each part once more for each part around it.
func tree(part any, leaf func(text []byte) (any, error)) (made any, err error) {
	v := reflect.ValueOf(part)
	switch part := part.(type) {
	case nil, string, bool:
		return part, nil
	case interface{ MarshalYAML() (any, error) }: // MarshalJSON is the JSON of the same
		if v.Kind() != reflect.Pointer || !v.IsNil() {
			made, err = part.MarshalYAML()
		}
		if err == nil {
			made, err = tree(made, leaf)
		}
		return made, err
	case json.Marshaler, encoding.TextMarshaler:
	default:
		switch {
		case v.Kind() == reflect.Map && v.Type().Key() == reflect.TypeFor[string]() && !v.IsNil():
			all := make(map[string]any, v.Len())
			for name, value := range v.Seq2() {
				if all[name.String()], err = tree(value.Interface(), leaf); err != nil {
					return nil, err
				}
			}
			return all, nil
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 && !v.IsNil():
			all := make([]any, v.Len())
			for i := range all {
				if all[i], err = tree(v.Index(i).Interface(), leaf); err != nil {
					return nil, err
				}
			}
			return all, nil
		}
	}
	text, err := json.Marshal(part)
	if err != nil {
		return nil, err
	}
	return leaf(text)
}

// encode returns the JSON of a document.
func encode(document any) ([]byte, error) {
	whole, err := tree(document, func(text []byte) (any, error) { return json.RawMessage(text), nil })
	if err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}

// decoded returns what decoding the JSON of a document gives. Numbers stay as they are written.
func decoded(document any) (map[string]any, error) {
	whole, err := tree(document, func(text []byte) (made any, err error) {
		if text[0] == '-' || '0' <= text[0] && text[0] <= '9' { // most of them
			return json.Number(text), nil
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		err = decoder.Decode(&made)
		return made, err
	})
	return object(whole), err
}

// object returns an object of JSON, nil if it is something else.
func object(value any) map[string]any {
	members, _ := value.(map[string]any)
	return members
}

// pointer returns the tokens of a JSON pointer in a fragment (RFC 6901, section 6).
func pointer(fragment string) []string {
	if text, err := url.PathUnescape(fragment); err == nil {
		fragment = text
	}
	tokens := strings.Split(fragment, "/")[1:]
	for i, token := range tokens {
		tokens[i] = unescape.Replace(token)
	}
	return tokens
}

// The escapes in a JSON pointer (RFC 6901, section 3).
var escape, unescape = strings.NewReplacer("~", "~0", "/", "~1"), strings.NewReplacer("~1", "/", "~0", "~")

// eachText visits the texts in a value, with their keys.
func eachText(value any, key string, visit func(key, text string)) {
	switch value := value.(type) {
	case string:
		visit(key, value)
	case []any:
		for _, each := range value {
			eachText(each, "", visit)
		}
	case map[string]any:
		for key, each := range value {
			eachText(each, key, visit)
		}
	}
}
