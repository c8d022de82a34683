package versohttp

import (
	"errors"
	"net/http"

	verso "github.com/goverso/verso/core"
)

// errNotVersioned is the error of a reversal in a request that was not
// versioned.
var errNotVersioned = errors.New("versohttp: the request did not pass a Mux or the middleware: register the handler on a Mux")

// Reverse builds the URL of a named route (see [Mux.Name]) in the version of
// the request, or in the version of the target:
//
//	mux.Name("user").HandleFunc("GET /{version}/users/{id}", showUser)
//	...
//	url, err := versohttp.Reverse(r, verso.Target{Name: "user", Kwargs: verso.Kwargs{"id": 7}})
//
// The errors are those of [verso.Versioning.Reverse]; in a request that passed
// neither a [Mux] nor the middleware it fails too.
func Reverse(r *http.Request, target verso.Target) (string, error) {
	determined, ok := kept(r)
	if !ok {
		return "", errNotVersioned
	}
	presented := acquire(r, determined.Versioning, "")
	built, err := determined.Versioning.Reverse(presented, r, target)
	presented.release()
	return built, err
}

// Reverse builds the URL of a named route outside of a request, for a job or a
// mail. It is relative unless the links have an origin, and in the version of
// the target. The errors are those of [verso.Versioning.Reverse].
func (m *Mux) Reverse(target verso.Target) (string, error) {
	return m.middleware.versioning.Reverse(nil, nil, target)
}
