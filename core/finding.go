package verso

import (
	"errors"
	"fmt"
	"reflect"
)

// Finding is a mistake in a configuration, or what may be one. Codes are stable.
type Finding struct {
	Level   Level  `json:"level"`   // whether it is wrong, or may be
	Code    string `json:"code"`    // for programs: "version_twice"
	Field   string `json:"field"`   // of [Config] or [Links], "Source" or "Routes"
	Message string `json:"message"` // what is wrong, and what to change

	// Acknowledged says that [Config.Acknowledged] has the code.
	Acknowledged bool `json:"acknowledged,omitempty"`
}

// Level says how bad a [Finding] is.
type Level uint8

// The levels of a finding.
const (
	Warning Level = iota // may be meant, and is often a mistake
	Refused              // cannot be meant: there is no [Versioning] of it
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

// refuse returns a finding that cannot be meant.
func refuse(code, field, format string, args ...any) Finding {
	return Finding{Level: Refused, Code: code, Field: field, Message: fmt.Errorf(format, args...).Error()}
}

// warn returns a finding that may be meant.
func warn(code, field, format string, args ...any) Finding {
	return Finding{Level: Warning, Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Error returns the field and the message. A finding that is Refused is an error: the
// constructors return all of them, joined. Use [errors.As] for the first, or unwrap
// them.
func (f *Finding) Error() string {
	return "verso: " + f.Field + ": " + f.Message
}

// refusals returns the findings that are errors, joined, and the others.
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

// mistake returns the error of a finding that cannot be meant.
func mistake(code, field, format string, args ...any) error {
	f := refuse(code, field, format, args...)
	return &f
}

// joined returns the errors among the findings.
func joined(findings []Finding) error {
	_, err := refusals(findings)
	return err
}

// isNil reports whether a value is nil, or a nil pointer or function in an interface.
func isNil(value any) bool {
	v := reflect.ValueOf(value)
	return !v.IsValid() || (v.Kind() == reflect.Pointer || v.Kind() == reflect.Func) && v.IsNil()
}

// Must returns the value, or panics with err. It is for configurations that are
// written in the source.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
