package verso

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strconv"
	"unique"
)

// Version is an opaque API version: text that is compared for equality, byte
// for byte, and never ordered or parsed.
//
// The zero Version is no version at all. It is not the same as V(""), the
// empty version that "?version=" asks for. Versions are comparable with ==
// and usable as map keys.
type Version struct {
	text unique.Handle[string]
}

// V returns the version with the given text, which may be empty.
func V(text string) Version {
	return Version{unique.Make(text)}
}

// IsNone reports whether v is the zero Version: no version at all.
func (v Version) IsNone() bool {
	return v == Version{}
}

// String returns the text of v, "" for none.
func (v Version) String() string {
	if v.IsNone() {
		return ""
	}
	return v.text.Value()
}

// GoString returns v as Go source: verso.V("v1"), or verso.Version{} for none.
func (v Version) GoString() string {
	if v.IsNone() {
		return "verso.Version{}"
	}
	return "verso.V(" + strconv.Quote(v.String()) + ")"
}

// MarshalText returns the text of v, empty for none.
func (v Version) MarshalText() ([]byte, error) {
	return []byte(v.String()), nil
}

// MarshalJSON returns v as a JSON string, or null for none.
func (v Version) MarshalJSON() ([]byte, error) {
	if v.IsNone() {
		return []byte("null"), nil
	}
	return json.Marshal(v.String())
}

// UnmarshalJSON sets v from a JSON string, or to none from null. Other JSON
// values, numbers among them, are an error: 1.0 and "1.0" are not the same.
func (v *Version) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err != nil {
		return errors.New("verso: a version is a JSON string or null, got " + string(data))
	}
	if text == nil {
		*v = Version{}
		return nil
	}
	*v = V(*text)
	return nil
}

// maxLoggedBytes bounds what a version that a client made up takes in a log.
const maxLoggedBytes = 64

// LogValue returns the text of v quoted and cut to 64 bytes, so that a version
// made up by a client can neither forge nor flood a log; none is null.
func (v Version) LogValue() slog.Value {
	if v.IsNone() {
		return slog.AnyValue(nil)
	}
	return slog.StringValue(quoteBounded(v.String()))
}

// quoteBounded quotes text in ASCII, cut to maxLoggedBytes bytes of it.
func quoteBounded(text string) string {
	if len(text) > maxLoggedBytes {
		return strconv.QuoteToASCII(text[:maxLoggedBytes]) + "..."
	}
	return strconv.QuoteToASCII(text)
}
