// Package around gives versions to the routes of any router, by versohttp around it.
package around

import (
	"net/http"
	"strings"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// Around serves what a router has under /api as the default version, and under /api/v1 and
// /api/v2. The router gets the path without a version, and versohttp.Version in a handler
// returns the version.
func Around(api *verso.Versioning, router http.Handler) http.Handler {
	mux := http.NewServeMux()
	v := versohttp.New(mux, api)
	for _, version := range []string{"/v1", "/v2"} {
		v.HandleFunc("/api"+version+"/{rest...}", func(w http.ResponseWriter, r *http.Request) {
			r = r.Clone(r.Context())
			r.URL.Path = strings.Replace(r.URL.Path, version, "", 1)
			r.URL.RawPath = strings.Replace(r.URL.RawPath, version, "", 1)
			router.ServeHTTP(w, r)
		})
	}
	v.Handle("/api/{rest...}", router)
	mux.Handle("/", router)
	return mux
}
