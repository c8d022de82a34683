// Package mistakes takes the errors of package catalogue apart.
package mistakes

import (
	"errors"

	"github.com/goverso/verso/core/catalogue"
)

// Each calls found for each mistake that an error of package catalogue joins. field is
// where the caller's configuration has the catalogue.
func Each(field string, err error, found func(code, field, message string)) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			Each(field, one, found)
		}
		return
	}
	code, message := "catalogue", err.Error()
	if mistake, ok := errors.AsType[*catalogue.Error](err); ok {
		code, message = mistake.Code, mistake.Message
		if mistake.Field != "" {
			field += "." + mistake.Field
		}
	}
	found(code, field, message)
}
