package route

import "errors"

var (
	// ErrNoMatch matches the errors of URL generation that found no route for the
	// name and the parameters, or a parameter whose value cannot stand in a path.
	ErrNoMatch = errors.New("no reverse match")

	// ErrMixedParams matches the error of URL generation that was given
	// positional and named parameters together.
	ErrMixedParams = errors.New("positional and named parameters mixed")

	// ErrPattern matches the errors of a pattern that cannot be expressed, and of
	// URL generation for a route that has such a pattern or none. They do not
	// match ErrNoMatch: whether the route fits the parameters is not known.
	ErrPattern = errors.New("pattern not understood")
)
