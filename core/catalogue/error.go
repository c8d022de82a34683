package catalogue

import (
	"errors"
	"fmt"

	"github.com/goverso/verso/core/internal/text"
)

// Error is one mistake in a configuration. The functions of this package return
// all mistakes that they find, joined by [errors.Join].
type Error struct {
	Code    string // for programs: "version_twice". Codes are stable.
	Field   string // where the mistake is, in the names of the JSON form: "versions[1].sunset"
	Message string // what is wrong and what to change
}

// Error returns the field, the message and the code.
func (e *Error) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("catalogue: %s (%s)", e.Message, e.Code)
	}
	return fmt.Sprintf("catalogue: %s: %s (%s)", e.Field, e.Message, e.Code)
}

// mistakes collects the mistakes in a configuration.
type mistakes []error

// add notes a mistake at a field.
func (m *mistakes) add(field, code, format string, args ...any) {
	*m = append(*m, &Error{code, field, fmt.Sprintf(format, args...)})
}

// err returns the mistakes, joined, or nil.
func (m *mistakes) err() error { return errors.Join(*m...) }

// must returns the value, or panics with err.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// quote quotes a string of a configuration for a message, and shortens it if it is long.
func quote(s string) string { return `"` + text.Bounded(s) + `"` }
