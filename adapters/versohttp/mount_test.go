package versohttp_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/goverso/verso/adapters/versohttp"
	verso "github.com/goverso/verso/core"
)

// mounted answers with the version, a text, and a path parameter.
func mounted(text, param string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, versohttp.Version(r).String()+" "+text+" "+r.PathValue(param))
	}
}

func TestMount(t *testing.T) {
	v := newRoutes(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2", "v3"}}))
	v.Group("/api/{area}").RegisterVersions(map[string]func(versohttp.Mux){
		"v1": func(mux versohttp.Mux) {
			mux.Handle("GET /users/{id}/of/{name}", mounted("one", "id"))
			mux.HandleFunc("/rooms/{id}/{$}", mounted("one", "id"))
			mux.HandleFunc("GET example.com/host", mounted("one", ""))
			mux.HandleFunc("GET /swap/{x}/{y}", mounted("one", "x"))
		},
		"v2": func(mux versohttp.Mux) {
			mux.HandleFunc("GET /users/{name}/of/{id}", mounted("two", "name"))
			mux.HandleFunc("PUT /rooms/{number}/{$}", mounted("two", "number"))
			mux.HandleFunc("GET /swap/{y}/{x}", mounted("two", "x"))
		},
	})
	for _, test := range []struct{ method, target, version, want string }{
		{"GET", "/users/7/of/8", "v1", "v1 one 7"},
		{"GET", "/users/7/of/8", "v2", "v2 two 7"},
		{"GET", "/swap/7/8", "v1", "v1 one 7"},
		{"GET", "/swap/7/8", "v2", "v2 two 8"},
		{"PUT", "/rooms/7/", "v1", "v1 one 7"},
		{"PUT", "/rooms/7/", "v2", "v2 two 7"},
		{"GET", "/rooms/7/", "v2", "method_not_in_version"},
		{"GET", "/host", "v1", "404 page not found"},
	} {
		assert.Contains(t, send(t, v, test.method, "/api/x"+test.target, http.Header{"Api-Version": {test.version}}).Body, test.want, "%v", test)
	}
	assert.Equal(t, "v1 one ", send(t, v, "GET", "/api/x/host", http.Header{"Api-Version": {"v1"}, "Host": {"example.com"}}).Body)
}

func TestMountRefuses(t *testing.T) {
	v := newRoutes(verso.MustNew(verso.Header("Api-Version"), verso.Config{AllowedVersions: []string{"v1", "v2"}}))
	get := func(mux versohttp.Mux) { mux.HandleFunc("GET /a", answerVersion) }
	for want, register := range map[string]func(versohttp.Mux){
		`versohttp: RegisterVersions: verso: Routes: version "v1" registers GET /a twice`: func(mux versohttp.Mux) { get(mux); get(mux) },
		`version "v1" registers GET /b without a handler`:                                 func(mux versohttp.Mux) { mux.HandleFunc("GET /b", nil) },
		`host/path missing /`: func(mux versohttp.Mux) { mux.HandleFunc("GET c", answerVersion) },
	} {
		assert.ErrorContains(t, panicked(func() { v.RegisterVersions(map[string]func(versohttp.Mux){"v1": register}) }), want)
	}
}

// TestLateRoutes: what a function registers after it has returned is refused.
func TestLateRoutes(t *testing.T) {
	var kept versohttp.Mux
	v := versohttp.New(http.NewServeMux(), verso.MustNew(verso.Header("Api-Version"), twoVersions))
	v.RegisterVersions(map[string]func(versohttp.Mux){"v1": func(mux versohttp.Mux) {
		kept = mux
		mux.Handle("GET /users", http.NotFoundHandler())
	}})
	assert.PanicsWithError(t, "versohttp: RegisterVersions: route /rooms/{id}: the function has returned: register it while it runs",
		func() { kept.Handle("GET /rooms/{id}", http.NotFoundHandler()) })
}
