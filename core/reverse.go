package verso

import (
	"errors"
	"fmt"
	"maps"
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

// Reverse builds the URL of the target in the version of the request, with the
// given scheme and reverser. Without a scheme (nil) the URL carries no version.
// When there is no route in the version ([ErrNoReverseMatch]), the same target
// is tried once more without it.
func Reverse(scheme Scheme, r Request, reverser Reverser, target Target) (string, error) {
	if scheme == nil {
		return reverser.Reverse(r, target)
	}
	versioned, err := scheme.Reverse(r, reverser, target)
	if !errors.Is(err, ErrNoReverseMatch) {
		return versioned, err
	}
	unversioned, unversionedErr := reverser.Reverse(r, target)
	if unversionedErr != nil {
		return "", fmt.Errorf("%w (and in the version: %w)", unversionedErr, err)
	}
	return unversioned, nil
}

// versionOf returns the version that a URL is built in.
func versionOf(r Request) Version {
	if r == nil {
		return Version{}
	}
	return r.Version()
}

// Reverse adds the version of the request to the named arguments, where the
// caller's own argument of that name wins, and delegates.
func (s *URLPath) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	if v := versionOf(r); !v.IsNone() {
		kwargs := make(Kwargs, len(target.Kwargs)+1)
		kwargs[s.VersionParam] = v.String()
		maps.Copy(kwargs, target.Kwargs)
		target.Kwargs = kwargs
	}
	return reverser.Reverse(r, target)
}

// Reverse puts the version of the request before the name of the route (see
// [VersionedName]) and delegates.
func (s *Namespace) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	if v := versionOf(r); !v.IsNone() {
		target.Name = VersionedName(v, target.Name)
	}
	return reverser.Reverse(r, target)
}

// Reverse delegates and sets the version of the request as a query parameter
// of the URL (see [ReplaceQueryParam]).
func (s *QueryParameter) Reverse(r Request, reverser Reverser, target Target) (string, error) {
	rawURL, err := reverser.Reverse(r, target)
	v := versionOf(r)
	if err != nil || v.IsNone() {
		return rawURL, err
	}
	return ReplaceQueryParam(rawURL, s.VersionParam, v.String()), nil
}

// VersionedName returns the name of a route in the namespace of a version:
// "v1:user-list". Specification: "get_versioned_viewname".
func VersionedName(v Version, name string) string {
	return v.String() + ":" + name
}
