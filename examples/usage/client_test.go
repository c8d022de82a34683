package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
	"github.com/goverso/verso/core/catalogue"
	"github.com/goverso/verso/core/source"
	"github.com/goverso/verso/core/versotest"
	"github.com/goverso/verso/usage"
)

// TestWhereToGo: the page names the route of the successor that links lead to, in each
// scheme.
func TestWhereToGo(t *testing.T) {
	versions := catalogue.MustNew(catalogue.Config{SuccessorLinks: true, Versions: []catalogue.Entry{
		{Version: "v1", Deprecated: now.AddDate(0, -1, 0), Successor: "v2"}, {Version: "v2"},
	}})
	ok := func(http.ResponseWriter, *http.Request) {}
	for _, test := range []struct {
		name     string
		source   source.Source
		routes   func(v *versohttp.Routes)
		requests []string // and where to go, as links and as the page say
	}{
		{"a path parameter", verso.PathParam("version"), func(v *versohttp.Routes) {
			v.HandleFunc("GET /{version}/users/{id}", ok)
			v.RemovedIn("v2").HandleFunc("GET /{version}/old", ok)
		}, []string{"/v1/users/7", "</v2/users/7>", "/v2/users/{id}", "/v1/old", "", ""}},
		{"a header", verso.Header("Api-Version"), func(v *versohttp.Routes) {
			v.HandleFunc("GET /users/{id}", ok)
			v.RemovedIn("v2").HandleFunc("GET /old", ok)
		}, []string{"/users/7", "", "/users/{id}", "/old", "", ""}},
		{"a path prefix", verso.PathPrefix("/api/{version}"), func(v *versohttp.Routes) {
			v.EachVersion().HandleFunc("GET /api/both", ok)
			v.HandleFunc("GET /api/v1/users/{id}", ok)
			v.HandleFunc("GET /api/v2/users/{id}", ok)
			v.HandleFunc("GET /api/v1/old", ok)
		}, []string{"/api/v1/both", "</api/v2/both>", "/api/v2/both", "/api/v1/users/7", "</api/v2/users/7>", "/api/v2/users/{id}", "/api/v1/old", "", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := versotest.NewClock(now)
			config := verso.Config{Catalogue: versions, Clock: clock.Now, Links: verso.LinkConfig{Relative: true}}
			calls := usage.NewTable(&config)
			api, err := verso.New(test.source, config)
			require.NoError(t, err)
			mux := http.NewServeMux()
			v := versohttp.New(mux, api, versohttp.Config{Client: func(*http.Request) string { return "acme" }})
			test.routes(v)
			want := map[string]int{}
			for i := 0; i < len(test.requests); i += 3 {
				r := httptest.NewRequest(http.MethodGet, test.requests[i], nil)
				r.Header.Set("Api-Version", "v1")
				response := httptest.NewRecorder()
				mux.ServeHTTP(response, r)
				require.Equal(t, 200, response.Code, response.Body)
				assert.Contains(t, response.Header().Get("Link"), test.requests[i+1])
				want[test.requests[i+2]]++
			}
			response := httptest.NewRecorder()
			calls.Handler(v.Explain).ServeHTTP(response, httptest.NewRequest(http.MethodGet, "/usage?client=acme", nil))
			var advice struct {
				Versions []struct{ Routes []struct{ Route, To string } }
			}
			require.NoError(t, json.Unmarshal(response.Body.Bytes(), &advice))
			got := map[string]int{}
			for _, route := range advice.Versions[0].Routes {
				got[route.To]++
			}
			assert.Equal(t, want, got)
		})
	}
}
