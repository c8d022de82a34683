package versogorilla_test

import (
	"net/http"
	"testing"

	versogorilla "example.com/verso-gorilla"
	"github.com/gorilla/mux"

	"github.com/goverso/verso/conformance/twins"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter/overhttp"
)

// TestTwins compares random programs of mux with and without Verso.
func TestTwins(t *testing.T) {
	param := func(name string, rest bool) string {
		if rest {
			return "{" + name + ":.*}"
		}
		return "{" + name + "}"
	}
	vocabulary := twins.OverHTTP(param, func(api *verso.Versioning, config overhttp.Config) (http.Handler, twins.Handle, *versogorilla.Routes) {
		r := mux.NewRouter().UseEncodedPath()
		handle := func(method, path string, h http.Handler) { r.Path(path).Methods(method).Handler(h) }
		if api == nil {
			return r, handle, nil
		}
		return r, handle, versogorilla.New(r, api, versogorilla.Config(config))
	})
	vocabulary.Refused = []twins.Refusal{
		{Text: "the route is registered twice", Page: "versogorilla.go#Routes", Quote: "a route that is registered twice"},
		{Text: "routers disagree about which one wins", Page: "versogorilla.go#Routes",
			Quote: "with a parameter in the place of the version"},
	}
	twins.Run(t, vocabulary)
}
