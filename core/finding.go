package verso

import (
	"errors"
	"fmt"
	"reflect"
)

// Finding is a mistake in a configuration, or a possible one. Codes are stable.
type Finding struct {
	Level   Level  `json:"level"`   // whether it is a mistake or a possible one
	Code    string `json:"code"`    // for programs: "version_twice"
	Field   string `json:"field"`   // of [Config] or [Links], "Source" or "Routes"
	Message string `json:"message"` // the mistake, and what to change

	// Acknowledged reports whether [Config.Acknowledged] has the code.
	Acknowledged bool `json:"acknowledged,omitempty"`
}

// Level is the severity of a [Finding].
type Level uint8

// The levels of a finding.
const (
	Warning Level = iota // may be intended, and is often a mistake
	Refused              // a mistake: the constructor fails
)

// String returns "warning" or "error".
func (l Level) String() string {
	if l == Refused {
		return "error"
	}
	return "warning"
}

// MarshalText returns the name of the level.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// refuse returns a finding that is a mistake.
func refuse(code, field, format string, args ...any) Finding {
	return Finding{Level: Refused, Code: code, Field: field, Message: fmt.Errorf(format, args...).Error()}
}

// warn returns a finding that may be intended.
func warn(code, field, format string, args ...any) Finding {
	return Finding{Level: Warning, Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Error returns the field and the message. The constructors return all findings that
// are [Refused] as one joined error: use [errors.As] for the first, or unwrap them.
func (f *Finding) Error() string {
	return "verso: " + f.Field + ": " + f.Message
}

// refusals returns the refused findings as a joined error, and the others.
func refusals(findings []Finding) (warnings []Finding, err error) {
	var refused []error
	for _, f := range findings {
		if f.Level == Refused {
			refused = append(refused, &f)
		} else {
			warnings = append(warnings, f)
		}
	}
	return warnings, errors.Join(refused...)
}

// mistake returns a refused finding as an error.
func mistake(code, field, format string, args ...any) error {
	f := refuse(code, field, format, args...)
	return &f
}

// joined returns the refused findings as a joined error.
func joined(findings []Finding) error {
	_, err := refusals(findings)
	return err
}

// isNil reports whether a value is nil, or a nil pointer or function in an interface.
func isNil(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Func) && v.IsNil()
}

// Must returns the value, or panics with err. It is for configurations in source code.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
