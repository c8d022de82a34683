package verso

import (
	"errors"
	"fmt"
	"net/url"
)

// Target names the route that a URL is built for, and what stands in it.
type Target struct {
	Name     string     // name of the route, "user-detail", or with its namespace, "v1:user-detail"
	Args     []any      // arguments by position; never together with Kwargs
	Kwargs   Kwargs     // arguments by name
	Format   string     // joins Kwargs as "format", unless it is ""
	Query    url.Values // added to the URL
	Fragment string     // added to the URL

	// Version asks for the route in another version than that of the
	// request, which none stands for. There is no second try without it.
	// In the Accept scheme, whose URLs carry no version, it changes nothing.
	Version Version

	// Extra is for a Reverser of your own: it is handed on unchanged. The
	// built-in one refuses it.
	Extra map[string]any
}

// Kwargs are the arguments of a route by name. A value is text, an integer, an
// [encoding.TextMarshaler] or a [fmt.Stringer].
type Kwargs map[string]any

// Reverser builds the URL of a target from a table of named routes. r is nil
// outside of a request. It does not know about versions.
type Reverser interface {
	Reverse(r Request, target Target) (string, error)
}

// Reverse builds the URL of the target in the version of the request, or of the
// target, with the given scheme and reverser. Without a scheme (nil) the URL
// carries no version. When there is no such route in the version of the request
// ([ErrNoReverseMatch]), the same target is tried once more without it.
//
// The version is taken as it stands: whether it is allowed is not asked again.
func Reverse(scheme Scheme, r Request, reverser Reverser, target Target) (string, error) {
	if scheme == nil {
		return reverser.Reverse(r, target)
	}
	versioned, err := scheme.Reverse(r, reverser, target)
	if !errors.Is(err, ErrNoReverseMatch) || !target.Version.IsNone() {
		return versioned, err
	}
	unversioned, unversionedErr := reverser.Reverse(r, target)
	if unversionedErr != nil {
		return "", fmt.Errorf("%w (and without the version: %w)", err, unversionedErr)
	}
	return unversioned, nil
}

// versionFor returns the version that a URL is built in.
func versionFor(r Request, target Target) Version {
	if r == nil || !target.Version.IsNone() {
		return target.Version
	}
	return r.Version()
}
