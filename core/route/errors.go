package route

import "errors"

var (
	// ErrNoMatch matches the errors of URL generation when no route has the name
	// and the parameters, or when a path cannot contain the value of a parameter.
	ErrNoMatch = errors.New("no reverse match")

	// ErrMixedParams matches the error of URL generation with both positional and
	// named parameters.
	ErrMixedParams = errors.New("positional and named parameters mixed")

	// ErrPattern matches the errors of a pattern that is not understood, and of URL
	// generation for a route with such a pattern or without a pattern. They do not
	// match ErrNoMatch, since it is unknown whether the route fits the parameters.
	ErrPattern = errors.New("pattern not understood")
)
