package verso

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
)

// checkDuplicateKeys returns an error for a key that an object of a JSON text
// has twice, whatever its case: encoding/json lets the last one win, and ignores
// case. What is no JSON is the decoder's to report.
func checkDuplicateKeys(data []byte) error {
	if !json.Valid(data) {
		return nil
	}
	return checkValue(json.NewDecoder(bytes.NewReader(data)))
}

// checkValue reads a value of valid JSON.
func checkValue(decoder *json.Decoder) error {
	token, err := decoder.Token()
	if err != nil {
		return err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	keys := make(map[string]bool)
	for decoder.More() {
		if delim == '{' {
			key, err := decoder.Token()
			if err != nil {
				return err
			}
			name := fmt.Sprint(key)
			if keys[folded(name)] {
				return fmt.Errorf("the key %q is there twice: remove one", name)
			}
			keys[folded(name)] = true
		}
		if err := checkValue(decoder); err != nil {
			return err
		}
	}
	_, err = decoder.Token() // the end of the object or array
	return err
}

// folded returns text that is the same for keys that differ only in case, as
// [strings.EqualFold] has it.
func folded(key string) string {
	return strings.Map(func(r rune) rune {
		first := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			first = min(first, other)
		}
		return first
	}, key)
}
