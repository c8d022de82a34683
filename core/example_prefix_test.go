package verso_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/adapter"
	"github.com/goverso/verso/core/route"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
)

// Versions are literal segments; a path without one is for the default version.
func ExamplePathPrefix() {
	from := verso.PathPrefix("/api/{version}")
	api := verso.MustNew(from, verso.Config{AllowedVersions: []string{"v1", "v2"}, DefaultVersion: verso.V("v1")})
	for _, pattern := range []string{"/api/v2/lists", "/api/lists"} {
		r := httptest.NewRequest(http.MethodGet, pattern, nil)
		matched := &route.Route{Pattern: route.Braces(pattern)}
		fmt.Println(adapter.Bind(api, nil).DetermineVersion(versotest.Request(r, nil, matched)))
	}

	written, err := from.Write(source.Written{}, verso.V("v2")) // as a client does
	if err != nil {
		panic(err)
	}
	fmt.Println(written.Path("/api/lists"))
	// Output:
	// v2 <nil>
	// v1 <nil>
	// /api/v2/lists <nil>
}
