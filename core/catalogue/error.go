package catalogue

import (
	"errors"
	"fmt"

	"github.com/goverso/verso/core/internal/codes"
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
func (m *mistakes) add(field string, r codes.Row, args ...any) {
	*m = append(*m, &Error{r.Code, field, r.Text(args...)})
}

// say adds the mistake of the value at a field.
func (m *mistakes) say(field string, of *Error) { *m = append(*m, &Error{of.Code, field, of.Message}) }

// mistake returns a mistake of a value, which has no field.
func mistake(r codes.Row, args ...any) *Error { return &Error{Code: r.Code, Message: r.Text(args...)} }

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
